import { failure } from '../../../../shared/errors.ts';
import type { ChangePatch, NamedValuesPatch } from '../../../../shared/models/operations.ts';
import type { ObjectTag } from '../../s3/model/property-types.ts';
import type { ObjectAttributes, ObjectHead } from '../../s3/model/object-types.ts';
import type { PatchBack } from '../../transfers/items/operation-record.ts';
import {
  attributeHeaders,
  metadataHeaders,
  metadataPrefix,
  unreadableMetadata,
} from '../../s3/requests/attribute-headers.ts';
import { attributesOfHead } from '../objects/copied-attributes.ts';
import { sameMetadata } from '../objects/look-at-object.ts';

/**
 * Returns the object's metadata after the change. Fields that the patch does not name keep their values. Throws
 * AppError('invalid-argument') for an invalid time, and if metadata that could not be read would be kept.
 */
export function changedAttributes(head: ObjectHead, patch: PatchBack): ObjectAttributes {
  const currentAttributes = attributesOfHead(head, { storageClass: true, encryption: true });
  const changed = {
    contentType: patch.contentType ?? currentAttributes.contentType,
    cacheControl: valueOf(patch.cacheControl, currentAttributes.cacheControl),
    contentDisposition: valueOf(patch.contentDisposition, currentAttributes.contentDisposition),
    contentEncoding: valueOf(patch.contentEncoding, currentAttributes.contentEncoding),
    contentLanguage: valueOf(patch.contentLanguage, currentAttributes.contentLanguage),
    storageClass: patch.storageClass ?? currentAttributes.storageClass,
  };
  const known: Partial<Record<keyof typeof changed, string>> = {};
  for (const [name, value] of Object.entries(changed) as [keyof typeof changed, string | undefined][])
    if (value !== undefined) known[name] = value;
  const headers = { ...currentAttributes.headers };
  const expires = valueOf(patch.expires, undefined);
  if (patch.expires !== undefined) delete headers['expires'];
  if (expires !== undefined) headers['expires'] = httpDate(expires);
  if (patch.received !== undefined)
    return { ...known, headers: { ...withoutMetadata(headers, patch), ...patch.received } };
  return { ...known, ...patchedMetadata(head, headers, patch.metadata) };
}

function classOf(of: ObjectAttributes): string {
  return of.storageClass ?? 'STANDARD';
}

/**
 * Returns true if the object already has these attributes. Throws `metadata-missing` if the object has metadata that HEAD cannot
 * return.
 */
export function hasAttributes(head: ObjectHead, newAttributes: ObjectAttributes): boolean {
  const now = attributesOfHead(head, { storageClass: true, encryption: true });
  return (
    (newAttributes.contentType === undefined || now.contentType === newAttributes.contentType) &&
    now.cacheControl === newAttributes.cacheControl &&
    now.contentDisposition === newAttributes.contentDisposition &&
    now.contentEncoding === newAttributes.contentEncoding &&
    now.contentLanguage === newAttributes.contentLanguage &&
    now.headers?.['expires'] === newAttributes.headers?.['expires'] &&
    classOf(now) === classOf(newAttributes) &&
    sameMetadata(sentMetadata(now), sentMetadata(newAttributes))
  );
}

export function changedTags(tags: readonly ObjectTag[], patch: NamedValuesPatch): readonly ObjectTag[] {
  const before = Object.fromEntries(tags.map(({ key, value }) => [key, value]));
  const kept = patch.replaceAll ? {} : before;
  const gone = new Set(patch.remove);
  const after = Object.entries({ ...kept, ...patch.set }).filter(
    ([key]) => !gone.has(key) || Object.hasOwn(patch.set, key),
  );
  return after.map(([key, value]) => ({ key, value }));
}

/** Returns the patch that restores the current values of all fields named in `patch`. */
export function patchBack(patch: ChangePatch, head: ObjectHead, tags: readonly ObjectTag[]): PatchBack {
  const { headers, metadata } = head;
  const header = (name: string): string | null => headers[name] ?? null;
  const isNamed = (name: keyof ChangePatch): boolean => patch[name] !== undefined;
  const received = {
    ...(isNamed('metadata') ? metadataHeaders(headers) : {}),
    ...(isNamed('expires') && headers['expires'] !== undefined ? { expires: headers['expires'] } : {}),
  };
  return {
    received,
    // An object always has a content type. `binary/octet-stream` is the service's default.
    ...(isNamed('contentType') ? { contentType: head.contentType ?? 'binary/octet-stream' } : {}),
    ...(isNamed('cacheControl') ? { cacheControl: header('cache-control') } : {}),
    ...(isNamed('contentDisposition') ? { contentDisposition: header('content-disposition') } : {}),
    ...(isNamed('contentEncoding') ? { contentEncoding: header('content-encoding') } : {}),
    ...(isNamed('contentLanguage') ? { contentLanguage: header('content-language') } : {}),
    ...(isNamed('expires') ? { expires: null } : {}),
    ...(isNamed('storageClass') ? { storageClass: head.storageClass ?? 'STANDARD' } : {}),
    ...(isNamed('metadata') ? { metadata: allOf(metadata) } : {}),
    ...(isNamed('tags')
      ? { tags: allOf(Object.fromEntries(tags.map(({ key, value }) => [key, value]))) }
      : {}),
  };
}

function allOf(set: Readonly<Record<string, string>>): NamedValuesPatch {
  return { replaceAll: true, set: { ...set }, remove: [] };
}

/** Returns the headers and metadata after a change. Values that the patch does not name are sent exactly as received. */
function patchedMetadata(
  head: ObjectHead,
  headers: Readonly<Record<string, string>>,
  patch: NamedValuesPatch | undefined,
): Pick<ObjectAttributes, 'headers' | 'metadata'> {
  if (patch === undefined) return { headers };
  // HTTP sends names of metadata in lower case.
  const set = new Map(Object.entries(patch.set).map(([name, value]) => [name.toLowerCase(), value]));
  const gone = new Set(patch.remove.map((name) => name.toLowerCase()));
  const stays = (name: string): boolean => set.has(name) || !(patch.replaceAll || gone.has(name));
  const keptHeaders = Object.entries(headers).filter(
    ([name]) => !name.startsWith(metadataPrefix) || stays(name.slice(metadataPrefix.length)),
  );
  const edited = [...set].filter(([name, value]) => head.metadata[name] !== value);
  const unreadable = unreadableMetadata(head.headers);
  const refused = edited.find(([name]) => unreadable.includes(name));
  if (refused !== undefined)
    throw failure(
      'invalid-argument',
      `The metadata value "${refused[0]}" cannot be read, and is not replaced.`,
      { reason: 'metadata-unreadable' },
    );
  return { headers: Object.fromEntries(keptHeaders), metadata: Object.fromEntries(edited) };
}

function withoutMetadata(
  headers: Readonly<Record<string, string>>,
  patch: ChangePatch,
): Readonly<Record<string, string>> {
  if (patch.metadata === undefined) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(metadataPrefix)));
}

/** Returns the metadata as a write request would send it, by name. */
function sentMetadata(attributes: ObjectAttributes): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(metadataHeaders(attributeHeaders(attributes))).map(([name, value]) => [
      name.slice(metadataPrefix.length),
      value,
    ]),
  );
}

/** Returns the new value of a field. `undefined` in the patch keeps the value; null or '' removes it. */
function valueOf(patch: string | null | undefined, current: string | undefined): string | undefined {
  if (patch === undefined) return current;
  return patch === null || patch === '' ? undefined : patch;
}

function httpDate(text: string): string {
  const ms = Date.parse(text);
  if (Number.isNaN(ms))
    throw failure('invalid-argument', 'The expiry time is not a valid time.', { reason: 'header-invalid' });
  return new Date(ms).toUTCString();
}
