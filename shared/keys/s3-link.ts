/** A link from outside the program: `s3://bucket/prefix`. It opens only after the user confirms. */
export interface S3Link extends Address {
  /**
   * The prefix after decoding its percent escapes, or null if decoding changes nothing or does not give valid text. Both readings
   * are possible, since browsers escape characters and a key may contain a literal `%20`.
   */
  readonly decodedPrefix: string | null;
}

/** In characters. A key has at most 1024 bytes, and escaping may take three characters per byte. */
const longestLink = 4096;
const longestKeyBytes = 1024;
const pattern = /^s3:\/\/([^/]*)(?:\/(.*))?$/isu;
/** Also allows names that only services other than AWS accept, but nothing that could be a host with a port or user. */
const bucketName = /^[a-z0-9][a-z0-9._-]{1,253}[a-z0-9]$/iu;

/** Parses a link strictly. Returns null for any other text. */
export function parseS3Link(text: string): S3Link | null {
  if (text.length > longestLink || !text.isWellFormed()) return null;
  const [, bucket = '', prefix = ''] = pattern.exec(text) ?? [];
  if (!bucketName.test(bucket) || bucket.includes('..') || !isPrefix(prefix)) return null;
  const decoded = decode(prefix);
  return { bucket, prefix, decodedPrefix: decoded === prefix ? null : decoded };
}

/** Returns true if a command-line argument is an s3: link, valid or not. */
export function isS3Link(text: string): boolean {
  return /^s3:/iu.test(text);
}

function decode(prefix: string): string | null {
  try {
    const decoded = decodeURIComponent(prefix);
    return isPrefix(decoded) ? decoded : null;
  } catch {
    return null; // The percent sign is not part of an escape.
  }
}

/** Returns true for a prefix that fits into a key and has no control characters, which legitimate links never have. */
function isPrefix(prefix: string): boolean {
  return !/\p{Cc}/u.test(prefix) && utf8Length(prefix) <= longestKeyBytes;
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
  }
  return bytes;
}

/** A bucket and a prefix, parsed from a typed address. The prefix is not decoded. */
export interface Address {
  readonly bucket: string;
  readonly prefix: string;
}

const scheme = /^s3:\/\//i;
const webScheme = /^https?:\/\//i;

/** Returns true for the web address of an object, which `readServiceAddress` reads. */
export function isWebAddress(text: string): boolean {
  return webScheme.test(text.trimStart());
}

/**
 * Parses `bucket/prefix` or `s3://bucket/prefix`. Returns null without a bucket. Ignores leading white space and trailing line
 * breaks, which come from pasting. Keeps all other characters in the prefix.
 */
export function parseAddress(text: string): Address | null {
  const pasted = text.trimStart().replace(/[\r\n]+$/u, '');
  const path = pasted.replace(scheme, '');
  // Removes a leading slash, which some tools write. It cannot mean an empty bucket name.
  const rest = scheme.test(pasted) ? path : path.replace(/^\//u, '');
  const slash = rest.indexOf('/');
  const bucket = (slash === -1 ? rest : rest.slice(0, slash)).trimEnd();
  if (bucket === '' || /[\s\\]/u.test(bucket) || isWebAddress(pasted)) return null;
  return { bucket, prefix: slash === -1 ? '' : rest.slice(slash + 1) };
}

/** Returns the address as shown in the path field. */
export function formatAddress(address: Address): string {
  return `${address.bucket}/${address.prefix}`;
}
