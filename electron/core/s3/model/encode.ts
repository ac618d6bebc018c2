import { failure } from '../../../../shared/errors.ts';

/**
 * Decodes a value from a listing with encoding-type=url: `+` is a space, `%2B` a plus; the rest is percent-encoded UTF-8
 * (backlot#178). Throws a RangeError if it is invalid.
 */
export function decodeListed(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new RangeError('not percent-encoded UTF-8');
  }
}

const unreserved = /^[A-Za-z0-9\-._~]$/;
const plain = /^[A-Za-z0-9\-._~]*$/;
const plainKey = /^[A-Za-z0-9\-._~/]*$/;

const escapes: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return unreserved.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
});

/**
 * Percent-encodes a text as UTF-8 for Signature Version 4, all characters except A-Z a-z 0-9 - . _ ~. Throws
 * `AppError('invalid-argument')` if the text contains half a surrogate pair.
 */
export function encodeComponent(text: string): string {
  if (!text.isWellFormed()) {
    throw failure('invalid-argument', 'The text contains half of a surrogate pair and cannot be sent.', {
      reason: 'not-unicode',
    });
  }
  // A fast path: most texts contain nothing to encode.
  if (plain.test(text)) return text;
  let encoded = '';
  for (const byte of Buffer.from(text, 'utf8')) encoded += escapes[byte] ?? '';
  return encoded;
}

/** Encodes a key for a request's path. Encodes each segment, keeps `/`, and does not normalize the path (smithy-rs#1308). */
export function encodeKey(key: string): string {
  if (plainKey.test(key)) return key;
  return key.split('/').map(encodeComponent).join('/');
}

/** Returns the query for signing and sending: sorted by encoded name, with `name=value` for all parameters. */
export function encodeQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => [encodeComponent(name), encodeComponent(value)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** Compares keys by their UTF-8 bytes, as services order them. JavaScript compares UTF-16 units, which gives another order. */
export function compareUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}

/** Encodes a metadata value for a header. Values beyond printable ASCII become RFC 2047 encoded words, as in S3. */
export function encodeMetadataValue(value: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) || value === '') return value;
  return `=?UTF-8?B?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

/** A decoded metadata value. */
export interface ReadValue {
  readonly text: string;
  /** False if the bytes could not be decoded. `text` then contains one Latin-1 character per byte. */
  readonly isReadable: boolean;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes a metadata value from a header, whose bytes are Latin-1 characters. It may be UTF-8, RFC 2047 encoded words, or plain
 * ASCII.
 */
export function readMetadataValue(received: string): ReadValue {
  try {
    return { text: decodeMetadataValue(utf8Of(received)), isReadable: true };
  } catch {
    return { text: received, isReadable: false };
  }
}

function utf8Of(received: string): string {
  return /^[\x20-\x7e]*$/.test(received) ? received : utf8.decode(Buffer.from(received, 'latin1'));
}

/** Decodes RFC 2047 encoded words in a text, and leaves other text unchanged. Throws if an encoded word is not valid text. */
export function decodeMetadataValue(value: string): string {
  if (!value.includes('=?')) return value;
  return value.replace(
    /=\?([^?\s]+)\?(?:b\?([A-Za-z0-9+/=]*)|q\?([^?]*))\?=(?:\s+(?==\?))?/gi,
    (_, charset: string, base64: string | undefined, quoted: string | undefined) =>
      new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(
        base64 === undefined ? quotedBytes(quoted ?? '') : Buffer.from(base64, 'base64'),
      ),
  );
}

function quotedBytes(text: string): Buffer {
  const bytes = text
    .replaceAll('_', ' ')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}
