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
