import type { Encryption, UploadOptions } from '../../../../shared/models/transfers.ts';
import type { EnglishMessages } from '../../../../shared/messages/english.ts';

/** The form's contents while typing. */
export type UploadDraft = Readonly<ReturnType<typeof uploadDraftOf>>;

export type UploadProblem = keyof EnglishMessages['jobs']['uploadOptions']['problems'];

export type UploadProblems = Readonly<Partial<Record<keyof UploadDraft, UploadProblem>>>;

export function uploadDraftOf(options: UploadOptions) {
  const { encryption } = options;
  return {
    /** '' for the bucket's default. */
    storageClass: options.storageClass ?? '',
    cacheControl: options.cacheControl ?? '',
    contentType: options.contentType ?? '',
    /** One `name=value` per line. */
    metadata: linesOf(options.metadata),
    tags: linesOf(options.tags),
    encryption: encryption.kind,
    kmsKeyId: encryption.kind === 'kms' ? (encryption.keyId ?? '') : '',
    /** '' if none is chosen. */
    customerKeyMd5: encryption.kind === 'customer' ? encryption.keyMd5 : '',
    // Off by default, since the user must allow this for each upload.
    takesLinksOut: false,
  };
}

/** Converts a draft without problems to upload options. */
export function uploadOptionsOf(draft: UploadDraft, before: UploadOptions): UploadOptions {
  return {
    ...before,
    storageClass: emptyToNull(draft.storageClass),
    cacheControl: emptyToNull(draft.cacheControl),
    contentType: emptyToNull(draft.contentType),
    metadata: Object.fromEntries(pairsOf(draft.metadata).map(([name, value]) => [name.toLowerCase(), value])),
    tags: Object.fromEntries(pairsOf(draft.tags)),
    encryption: encryptionOf(draft),
    takesLinksOut: draft.takesLinksOut,
  };
}

function encryptionOf({ encryption, kmsKeyId, customerKeyMd5 }: UploadDraft): Encryption {
  switch (encryption) {
    case 'kms':
      return { kind: 'kms', keyId: emptyToNull(kmsKeyId) };
    case 'customer':
      return { kind: 'customer', keyMd5: customerKeyMd5 };
    case 'none':
    case 'service':
      return { kind: encryption };
    default:
      return encryption satisfies never;
  }
}

/**
 * Checks a draft against the limits of PutObject: 2 KB of metadata, and 10 tags with keys of up to 128 and values of up to 256
 * characters.
 */
export function uploadProblems(draft: UploadDraft): UploadProblems {
  const found: Partial<Record<keyof UploadDraft, UploadProblem>> = {};
  if (!isHeaderText(draft.cacheControl)) found.cacheControl = 'header-characters';
  if (draft.contentType.trim() !== '' && !/^[\w.+-]+\/[\w.+-]+(?:\s*;.*)?$/.test(draft.contentType.trim()))
    found.contentType = 'content-type';
  else if (!isHeaderText(draft.contentType)) found.contentType = 'header-characters';
  const metadata = metadataProblem(draft.metadata);
  if (metadata !== null) found.metadata = metadata;
  const tags = tagsProblem(draft.tags);
  if (tags !== null) found.tags = tags;
  if (draft.encryption === 'kms' && !isHeaderText(draft.kmsKeyId)) found.kmsKeyId = 'header-characters';
  if (draft.encryption === 'customer' && draft.customerKeyMd5 === '') found.customerKeyMd5 = 'key-missing';
  return found;
}

/** Metadata names that Cooper itself uses, for file times and to recognize its uploads. */
const reserved = new Set(['mtime', 'cooper-upload']);

function metadataProblem(text: string): UploadProblem | null {
  const pairs = pairsOf(text);
  const names = pairs.map(([name]) => name.toLowerCase());
  if (linesIn(text).some((line) => !line.includes('='))) return 'line-without-equals';
  if (names.some((name) => !/^[!#$%&'*+\-.^_`|~0-9a-z]{1,128}$/.test(name))) return 'metadata-name';
  if (names.some((name) => reserved.has(name))) return 'metadata-reserved';
  if (new Set(names).size < names.length) return 'name-twice';
  const bytes = pairs.reduce((sum, [name, value]) => sum + lengthOf(name) + lengthOf(value), 0);
  return bytes > 2000 ? 'metadata-size' : null;
}

function tagsProblem(text: string): UploadProblem | null {
  const pairs = pairsOf(text);
  const names = pairs.map(([name]) => name);
  if (linesIn(text).some((line) => line.indexOf('=') < 1)) return 'line-without-equals';
  if (new Set(names).size < names.length) return 'name-twice';
  if (pairs.length > 10) return 'tags-many';
  return pairs.some(([name, value]) => name.length > 128 || value.length > 256) ? 'tag-length' : null;
}

const emptyToNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
const lengthOf = (text: string): number => new TextEncoder().encode(text).length;
const isHeaderText = (text: string): boolean => /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(text);

function linesIn(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function pairsOf(text: string): readonly (readonly [string, string])[] {
  return linesIn(text).map((line) => {
    const at = line.indexOf('=');
    return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  });
}

function linesOf(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}
