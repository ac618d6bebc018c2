/** The encodings that text is read in; the names are those of TextDecoder. */
export const textEncodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'iso-8859-2',
  'iso-8859-5',
  'koi8-r',
  'ibm866',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'gb18030',
  'big5',
  'euc-kr',
] as const;

export type TextEncoding = (typeof textEncodings)[number];

export interface EncodingFound {
  readonly encoding: TextEncoding;
  /** Length of the byte order mark, or 0 without a mark. */
  readonly markBytes: number;
}

export function isTextEncoding(label: string): label is TextEncoding {
  return (textEncodings as readonly string[]).includes(label);
}

/** Returns the encoding that the byte order mark states, or null without a mark. */
export function markedEncoding(bytes: Uint8Array): EncodingFound | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', markBytes: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', markBytes: 2 };
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMarked ? { encoding: 'utf-8', markBytes: 3 } : null;
}

/** Bytes in which an XML declaration is searched for. */
const declarationBytes = 1024;

/**
 * Reads the encoding from an XML declaration (XML 1.0, section 4.3.3). A declaration in ASCII cannot name a two-byte encoding.
 */
export function declaredEncoding(bytes: Uint8Array): TextEncoding | null {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, declarationBytes));
  const label = /^<\?xml\s[^>]*?encoding\s*=\s*["'](?<label>[\w.:-]+)["']/.exec(start)?.groups?.['label'];
  if (label === undefined) return null;
  try {
    const { encoding } = new TextDecoder(label);
    const known = encoding === 'gbk' ? 'gb18030' : encoding;
    return isTextEncoding(known) && !known.startsWith('utf-16') ? known : null;
  } catch {
    // Browsers do not know this encoding.
    return null;
  }
}

/** Decodes bytes from the middle of a text. Invalid bytes become replacement characters. */
export function decodePart(bytes: Uint8Array, encoding: TextEncoding): string {
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}

/** Decodes a text without its byte order mark. */
export function decodeText(bytes: Uint8Array, { encoding, markBytes }: EncodingFound): string {
  return decodePart(bytes.subarray(markBytes), encoding);
}

/**
 * Returns true for control characters that do not occur in texts. Tabs, line ends and form feeds do, and escapes in coloured
 * logs.
 */
export function isControlCharacter(code: number): boolean {
  return code < 32 && ![9, 10, 12, 13, 27].includes(code);
}

export function hasControlCharacters(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (isControlCharacter(text.charCodeAt(at))) return true;
  return false;
}
