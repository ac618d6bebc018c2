import { failure } from '../../../../shared/errors.ts';

export { decodeListed } from './decode-listed.ts';

const unreserved = /^[A-Za-z0-9\-._~]$/;
const plain = /^[A-Za-z0-9\-._~]*$/;
const plainKey = /^[A-Za-z0-9\-._~/]*$/;

const escapes: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return unreserved.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
});

/**
 * Percent-encodes as Signature Version 4 requires: everything but A-Z a-z 0-9 - . _ ~, as UTF-8, once. Throws
 * `AppError('invalid-argument')` for half of a surrogate pair.
 */
export function encodeComponent(text: string): string {
  if (!text.isWellFormed()) {
    throw failure('invalid-argument', 'The text holds half of a Unicode character and cannot be sent.', {
      reason: 'not-unicode',
    });
  }
  // Most texts need no escape.
  if (plain.test(text)) return text;
  let encoded = '';
  for (const byte of Buffer.from(text, 'utf8')) encoded += escapes[byte] ?? '';
  return encoded;
}

/** Encodes a key for the raw path: each segment encoded, `/` kept, nothing normalised (smithy-rs#1308). */
export function encodeKey(key: string): string {
  if (plainKey.test(key)) return key;
  return key.split('/').map(encodeComponent).join('/');
}

/** Returns the canonical query: sorted by encoded name, `name=value` for all. The signed query is the one sent. */
export function encodeQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => [encodeComponent(name), encodeComponent(value)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** Compares keys in the service's order: by UTF-8 bytes, not by UTF-16 units. */
export function compareUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}

/** Encodes user metadata for a header: text beyond printable ASCII becomes RFC 2047 encoded words, as in S3. */
export function encodeMetadataValue(value: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) || value === '') return value;
  return `=?UTF-8?B?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

/** A decoded metadata value. */
export interface ReadValue {
  readonly text: string;
  /** False if the bytes could not be decoded; `text` then shows them as Latin-1. */
  readonly isReadable: boolean;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a metadata value received as bytes in Latin-1: UTF-8, RFC 2047 encoded words, or plain ASCII. */
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

/** Reverses encodeMetadataValue; leaves other text unchanged. Throws if an encoded word is not valid text. */
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
