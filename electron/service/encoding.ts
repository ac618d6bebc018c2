/** How a space is written in `encoding-type=url`: AWS writes `+`, others `%20`. */
export type SpaceEncoding = 'plus' | 'percent';

// oxlint-disable-next-line no-control-regex -- ASCII includes control characters
const isPlain = /^[\u0000-\u0024\u0026-\u007f]*$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes percent-encoded and raw bytes. (Node represents each raw byte as one Latin-1 character.) Returns null for an invalid
 * percent sign or bytes that are not UTF-8.
 */
export function percentDecode(text: string): string | null {
  if (isPlain.test(text)) return text;
  const bytes = Buffer.alloc(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) !== 0x25) {
      bytes[length++] = text.charCodeAt(i);
      continue;
    }
    const hex = text.slice(i + 1, i + 3);
    if (!/^[0-9a-fA-F]{2}$/.test(hex)) return null;
    bytes[length++] = Number.parseInt(hex, 16);
    i += 2;
  }
  try {
    return utf8.decode(bytes.subarray(0, length));
  } catch {
    return null;
  }
}

/** Decodes a name or value in a query, in which `+` is a space. */
export function queryDecode(text: string): string | null {
  return percentDecode(text.replaceAll('+', ' '));
}

const sigv4Plain = /^[A-Za-z0-9\-._~]*$/;

/** Percent-encodes all but unreserved characters, in upper-case hex, by the rules of SigV4. */
export function sigv4Encode(text: string): string {
  if (sigv4Plain.test(text)) return text;
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const listingPlain = /^[A-Za-z0-9\-._*/]*$/;

/** Encodes for `encoding-type=url` as AWS does, without encoding `/` and `*`. `space` selects `+` or `%20`. */
export function listingEncode(text: string, space: SpaceEncoding): string {
  if (listingPlain.test(text)) return text;
  const encoded = encodeURIComponent(text)
    .replace(/[!'()~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%2F', '/');
  return space === 'plus' ? encoded.replaceAll('%20', '+') : encoded;
}

/** Returns the bytes of a key. Keys are stored and compared as UTF-8, because JavaScript orders strings differently. */
export function keyBytes(key: string): Buffer {
  return Buffer.from(key, 'utf8');
}

/** Returns the smallest byte string that sorts after all that start with `bytes`; null if there is none. */
export function successorOfPrefix(bytes: Uint8Array): Buffer | null {
  for (let i = bytes.length - 1; i >= 0; i--) {
    const byte = bytes[i] ?? 0;
    if (byte === 0xff) continue;
    const successor = Buffer.from(bytes.subarray(0, i + 1));
    successor[i] = byte + 1;
    return successor;
  }
  return null;
}

/** Returns the smallest byte string that sorts after `bytes`. */
export function successorOfKey(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, Buffer.of(0)]);
}

// oxlint-disable-next-line no-control-regex -- control characters must be escaped
const special = /[&<>"\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]/;
// oxlint-disable-next-line no-control-regex -- control characters must be escaped
const specials = /[&<>"\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]/g;
// oxlint-disable-next-line no-control-regex -- XML forbids these control characters
const beyondXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Returns false if the text contains a character that XML 1.0 allows neither literally nor as a reference (2.2 and 4.1). */
export function isXmlText(text: string): boolean {
  return !beyondXml.test(text);
}

/**
 * Escapes text for an element. Replaces characters that XML 1.0 cannot contain by U+FFFD, so that the document is well-formed.
 */
export function escapeXml(text: string): string {
  if (!special.test(text)) return text;
  return text.replace(specials, (char) => named[char] ?? (isXmlText(char) ? reference(char) : '\ufffd'));
}

/** Escapes text as AWS does: characters that XML 1.0 cannot contain become references, which strict parsers reject. */
export function escapeXmlLoosely(text: string): string {
  return special.test(text) ? text.replace(specials, (char) => named[char] ?? reference(char)) : text;
}

function reference(char: string): string {
  return `&#x${char.charCodeAt(0).toString(16)};`;
}
