import { z } from 'zod/mini';
import type { WalkQuery } from '../../../shared/models/walks.ts';

export const sizeUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;
export const modifiedPresets = ['any', 'day', 'week', 'month', 'year', 'before-year', 'between'] as const;
const unitBytes: Readonly<Record<(typeof sizeUnits)[number], number>> = {
  B: 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  TiB: 1024 ** 4,
};

/** Reads units. Older versions stored units such as `MB`, which become `MiB`. */
const unitSchema = z.pipe(
  z.transform((unit) =>
    typeof unit === 'string'
      ? unit.replace(/^([kMGT])B$/u, (_, of: string) => `${of.toUpperCase()}iB`)
      : unit,
  ),
  z.enum(sizeUnits),
);

/** The values of a search form. Stored with the tab, so that a reload restores them. */
export const searchFormSchema = z.object({
  kind: z.enum(['contains', 'glob', 'regex']),
  text: z.string().check(z.maxLength(1000)),
  caseSensitive: z.boolean(),
  in: z.enum(['name', 'path']),
  minSize: z.string().check(z.maxLength(20)),
  minUnit: unitSchema,
  maxSize: z.string().check(z.maxLength(20)),
  maxUnit: unitSchema,
  modified: z.enum(modifiedPresets),
  /** Days such as `2024-12-31` in this computer's time zone. The range includes the first and the last day. */
  fromDay: z.string().check(z.maxLength(10)),
  toDay: z.string().check(z.maxLength(10)),
  storageClasses: z.array(z.string().check(z.maxLength(100))).check(z.maxLength(50)),
});

export type SearchForm = Readonly<z.infer<typeof searchFormSchema>>;

export const emptySearchForm: SearchForm = {
  kind: 'contains',
  text: '',
  caseSensitive: false,
  in: 'name',
  minSize: '',
  minUnit: 'MiB',
  maxSize: '',
  maxUnit: 'MiB',
  modified: 'any',
  fromDay: '',
  toDay: '',
  storageClasses: [],
};

export type FormField = 'text' | 'minSize' | 'maxSize' | 'fromDay' | 'toDay';

export type SearchFormProblem =
  | { readonly kind: 'regex'; readonly why: string }
  | { readonly kind: 'size' | 'size-order' | 'day' | 'day-order' };

export type ReadForm =
  | { readonly kind: 'query'; readonly query: WalkQuery }
  | { readonly kind: 'wrong'; readonly field: FormField; readonly problem: SearchFormProblem };

/** Converts the form to a query, or returns the first invalid field. `nowMs` is the base of relative times. */
export function readForm(form: SearchForm, nowMs: number): ReadForm {
  if (form.kind === 'regex' && form.text !== '') {
    const why = regexProblem(form.text);
    if (why !== null) return wrong('text', { kind: 'regex', why });
  }
  const minSizeBytes = bytesOf(form.minSize, form.minUnit);
  const maxSizeBytes = bytesOf(form.maxSize, form.maxUnit);
  if (minSizeBytes === 'wrong') return wrong('minSize', { kind: 'size' });
  if (maxSizeBytes === 'wrong') return wrong('maxSize', { kind: 'size' });
  if (minSizeBytes !== null && maxSizeBytes !== null && minSizeBytes > maxSizeBytes)
    return wrong('maxSize', { kind: 'size-order' });
  const times = timesOf(form, nowMs);
  if ('field' in times) return times;
  const { text, kind, caseSensitive } = form;
  return {
    kind: 'query',
    query: {
      name: text === '' ? null : { kind, text, caseSensitive, in: form.in },
      minSizeBytes,
      maxSizeBytes,
      ...times,
      storageClasses: form.storageClasses.length === 0 ? null : [...form.storageClasses],
    },
  };
}

type Wrong = Extract<ReadForm, { kind: 'wrong' }>;

function wrong(field: FormField, problem: SearchFormProblem): Wrong {
  return { kind: 'wrong', field, problem };
}

/** Returns why a regular expression is invalid. Null if it is valid with or without the flag `u`, as in the core. */
function regexProblem(source: string): string | null {
  return refusalOf(source, 'u') === null ? null : refusalOf(source, '');
}

function refusalOf(source: string, flags: string): string | null {
  try {
    return new RegExp(source, flags) instanceof RegExp ? null : '';
  } catch (thrown) {
    return thrown instanceof Error ? reasonOf(thrown.message) : String(thrown);
  }
}

/** Returns the last part of a message such as `Invalid regular expression: /(/: Unterminated group`. */
function reasonOf(message: string): string {
  return message.slice(message.lastIndexOf(': ') + 1).trim();
}

function bytesOf(text: string, unit: SearchForm['minUnit']): number | null | 'wrong' {
  const plain = text.trim().replace(',', '.');
  if (plain === '') return null;
  if (!/^\d+(\.\d+)?$/.test(plain)) return 'wrong';
  const bytes = Math.round(Number(plain) * unitBytes[unit]);
  return Number.isSafeInteger(bytes) ? bytes : 'wrong';
}

const dayMs = 24 * 3600 * 1000;
const presetDays = { day: 1, week: 7, month: 30, year: 365 } as const;

type Times = Pick<WalkQuery, 'modifiedFrom' | 'modifiedBefore'>;

function timesOf(form: SearchForm, nowMs: number): Times | Wrong {
  const { modified } = form;
  const ago = (days: number): string => new Date(nowMs - days * dayMs).toISOString();
  switch (modified) {
    case 'any':
      return { modifiedFrom: null, modifiedBefore: null };
    case 'before-year':
      return { modifiedFrom: null, modifiedBefore: ago(presetDays.year) };
    case 'between': {
      const from = dayStart(form.fromDay, 0);
      const before = dayStart(form.toDay, 1);
      if (from === 'wrong') return wrong('fromDay', { kind: 'day' });
      if (before === 'wrong') return wrong('toDay', { kind: 'day' });
      if (from !== null && before !== null && from >= before) return wrong('toDay', { kind: 'day-order' });
      return {
        modifiedFrom: from === null ? null : from.toISOString(),
        modifiedBefore: before === null ? null : before.toISOString(),
      };
    }
    default:
      return { modifiedFrom: ago(presetDays[modified]), modifiedBefore: null };
  }
}

/** Returns the local start of a day, or of the day `plusDays` later. Null for an empty text. */
function dayStart(day: string, plusDays: 0 | 1): Date | null | 'wrong' {
  if (day === '') return null;
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (parts === null) return 'wrong';
  const [, year, month, date] = parts.map(Number);
  const start = new Date(year ?? 0, (month ?? 1) - 1, (date ?? 1) + plusDays);
  return Number.isNaN(start.getTime()) ? 'wrong' : start;
}
