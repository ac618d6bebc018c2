import { failure } from '../../../../shared/errors.ts';
import { decodeMetadataValue, encodeComponent, encodeKey, encodeMetadataValue } from '../model/encode.ts';
import type { ObjectAttributes, ObjectRef } from '../model/object-types.ts';
import { checksumAlgorithms } from '../xml/render.ts';
import type { ChecksumAlgorithm, PartChecksums } from '../../disk/checksums.ts';

/** The request headers of an object's attributes. */
export function attributeHeaders(attributes: ObjectAttributes): Record<string, string> {
  const headers: Record<string, string> = { ...attributes.headers };
  const plain = {
    'content-type': attributes.contentType,
    'cache-control': attributes.cacheControl,
    'content-disposition': attributes.contentDisposition,
    'content-encoding': attributes.contentEncoding,
    'content-language': attributes.contentLanguage,
    'x-amz-storage-class': attributes.storageClass,
  };
  for (const [name, value] of Object.entries(plain)) {
    if (value !== undefined) headers[name] = value;
  }
  for (const [name, value] of Object.entries(attributes.metadata ?? {})) {
    headers[`x-amz-meta-${name.toLowerCase()}`] = encodeMetadataValue(value);
  }
  for (const [name, value] of Object.entries(headers)) checkHeader(name, value);
  return headers;
}

function checkHeader(name: string, value: string): void {
  if (/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name) && /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value)) return;
  throw failure('invalid-argument', `The header "${name}" cannot be sent.`, { reason: 'header-invalid' });
}

const metadataPrefix = 'x-amz-meta-';

export function metadataOf(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const metadata: [string, string][] = [];
  for (const name of Object.keys(headers)) {
    if (!name.startsWith(metadataPrefix)) continue;
    const value = decodeMetadataValue(utf8Header(headers[name] ?? ''));
    metadata.push([name.slice(metadataPrefix.length), value]);
  }
  return Object.fromEntries(metadata);
}

/**
 * For the window: the one name that no object can carry through JSON and schemas is shown as its whole header. JavaScript takes
 * `__proto__` for something else.
 */
export function shownMetadata(metadata: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [
      name === '__proto__' ? metadataPrefix + name : name,
      value,
    ]),
  );
}

/** Header bytes arrive as Latin-1; services that do not encode metadata send UTF-8. */
function utf8Header(value: string): string {
  if (/^[\x20-\x7e]*$/.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? value : text;
}

export function checksumHeaders(checksums: PartChecksums | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const algorithm of checksumAlgorithms) {
    const value = checksums?.[algorithm];
    if (value !== undefined) headers[`x-amz-checksum-${algorithm}`] = value;
  }
  return headers;
}

export function checksumsOf(headers: Readonly<Record<string, string>>): PartChecksums {
  const found: Partial<Record<ChecksumAlgorithm, string>> = {};
  for (const algorithm of checksumAlgorithms) {
    const value = headers[`x-amz-checksum-${algorithm}`];
    if (value) found[algorithm] = value;
  }
  return found;
}

export function versionQuery(ref: { readonly versionId?: string | undefined }): Record<string, string> {
  return ref.versionId === undefined ? {} : { versionId: ref.versionId };
}

/** x-amz-copy-source: the path of the source, encoded, with its version. */
export function copySource(source: ObjectRef): string {
  const version = source.versionId === undefined ? '' : `?versionId=${encodeComponent(source.versionId)}`;
  return `/${encodeComponent(source.bucket)}/${encodeKey(source.key)}${version}`;
}
