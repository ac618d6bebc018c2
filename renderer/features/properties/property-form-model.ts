import type { ChangePatch, NamedValuesPatch } from '../../../shared/models/operations.ts';
import type { ObjectProperties } from '../../../shared/models/properties.ts';

export const headerFields = [
  'contentType',
  'cacheControl',
  'contentDisposition',
  'contentEncoding',
  'contentLanguage',
  'expires',
] as const;
export type HeaderField = (typeof headerFields)[number];
export type PropertyField = HeaderField | 'storageClass';

/** A name and its value, in metadata or in tags. */
export interface NamedRow {
  readonly name: string;
  /** The value that all objects have, or null if some have another value or none. */
  readonly before: string | null;
  readonly value: string;
  readonly isTouched: boolean;
  readonly isRemoved: boolean;
  /** True if the user added the row and can change its name. */
  readonly isNew: boolean;
  /** True if the value in one of the objects is not valid text. The row can then only be removed. */
  readonly isUnreadable: boolean;
}

export interface Form {
  /** The values of changed fields. */
  readonly fields: Readonly<Partial<Record<PropertyField, string>>>;
  readonly metadata: readonly NamedRow[];
  readonly tags: readonly NamedRow[];
}

/** Returns the value that all objects have, '' if none has one, or null if values differ. */
export function sharedOf(values: readonly (string | null)[]): string | null {
  const [first = null] = values;
  return values.every((value) => value === first) ? (first ?? '') : null;
}

/** Returns a row for each name that occurs in any of the objects. */
export function namedRowsOf(
  sets: readonly Readonly<Record<string, string>>[],
  unreadable: ReadonlySet<string> = new Set(),
): readonly NamedRow[] {
  const names = [...new Set(sets.flatMap((set) => Object.keys(set)))].toSorted();
  return names.map((name) => {
    const values = sets.map((set) => (Object.hasOwn(set, name) ? (set[name] ?? '') : null));
    const before = values.includes(null) ? null : sharedOf(values);
    return {
      name,
      before,
      value: before ?? '',
      isTouched: false,
      isRemoved: false,
      isNew: false,
      isUnreadable: unreadable.has(name),
    };
  });
}

export function formOf(objects: readonly ObjectProperties[]): Form {
  return {
    fields: {},
    metadata: namedRowsOf(
      objects.map(({ metadata }) => metadata),
      new Set(objects.flatMap(({ unreadableMetadata }) => unreadableMetadata)),
    ),
    tags: namedRowsOf(
      objects.map(({ tags }) => Object.fromEntries((tags ?? []).map(({ key, value }) => [key, value]))),
    ),
  };
}

export const newRow: NamedRow = {
  name: '',
  before: null,
  value: '',
  isTouched: true,
  isRemoved: false,
  isNew: true,
  isUnreadable: false,
};

/** A reason why the form cannot be sent. Its text is the message of this name in `properties`. */
type PropertyProblem =
  'contentTypeNeeded' | 'expiresInvalid' | 'nameMissing' | 'nameInvalid' | 'nameTwice' | 'tooManyTags';

/** Returns the typed time as an ISO string, or null if the text is not a time. */
export function expiresOf(text: string): string | null {
  // `Date.parse` also accepts plain numbers and years, which are hardly meant as times.
  const atMs = /\d{4}-\d\d-\d\d|[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : new Date(atMs).toISOString();
}

export function fieldProblem(field: PropertyField, typed: string): PropertyProblem | null {
  if (field === 'contentType' && typed.trim() === '') return 'contentTypeNeeded';
  if (field === 'expires' && typed.trim() !== '' && expiresOf(typed) === null) return 'expiresInvalid';
  return null;
}

/** Returns the problem with a new row's name, or null. Metadata names must be valid in headers and ignore case. */
export function rowProblem(
  rows: readonly NamedRow[],
  at: number,
  kind: 'metadata' | 'tags',
): PropertyProblem | null {
  const row = rows[at];
  if (row === undefined || row.isRemoved || !row.isNew) return null;
  const nameOf = (other: NamedRow) => (kind === 'metadata' ? other.name.toLowerCase() : other.name);
  if (row.name === '') return 'nameMissing';
  if (kind === 'metadata' && !/^[a-z0-9._-]+$/i.test(row.name)) return 'nameInvalid';
  const isTwice = rows.some((other, n) => n !== at && !other.isRemoved && nameOf(other) === nameOf(row));
  return isTwice ? 'nameTwice' : null;
}

const maxTags = 10;

export function propertyProblems(form: Form): readonly PropertyProblem[] {
  const fields = Object.entries(form.fields).map(([field, typed]) =>
    fieldProblem(field as PropertyField, typed),
  );
  const rows = (['metadata', 'tags'] as const).flatMap((kind) =>
    form[kind].map((_, at) => rowProblem(form[kind], at, kind)),
  );
  // Other rows are tags of only some of the objects, each of which may have up to the maximum.
  const common = form.tags.filter((row) => !row.isRemoved && (row.isTouched || row.before !== null));
  const tags: PropertyProblem | null = common.length > maxTags ? 'tooManyTags' : null;
  const all: readonly (PropertyProblem | null)[] = [...fields, ...rows, tags];
  return all.filter((problem) => problem !== null);
}

/** Returns only the changed fields, or null if nothing changed. */
export function patchOf(form: Form): ChangePatch | null {
  const patch: Record<string, string | null | NamedValuesPatch> = {};
  for (const [field, typed] of Object.entries(form.fields)) {
    const text = typed.trim();
    patch[field] = text === '' ? null : field === 'expires' ? expiresOf(text) : text;
  }
  for (const kind of ['metadata', 'tags'] as const) {
    const named = namedPatchOf(form[kind], kind);
    if (named !== null) patch[kind] = named;
  }
  return Object.keys(patch).length === 0 ? null : patch;
}

function namedPatchOf(rows: readonly NamedRow[], kind: 'metadata' | 'tags'): NamedValuesPatch | null {
  const changed = rows.filter(
    (row) => !row.isRemoved && row.isTouched && (row.isNew || row.value !== row.before),
  );
  const removed = rows.filter((row) => row.isRemoved && !row.isNew);
  if (changed.length + removed.length === 0) return null;
  const nameOf = (row: NamedRow) => (kind === 'metadata' && row.isNew ? row.name.toLowerCase() : row.name);
  return {
    replaceAll: false,
    set: Object.fromEntries(changed.map((row) => [nameOf(row), row.value])),
    remove: removed.map(({ name }) => name),
  };
}
