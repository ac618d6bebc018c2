import {
  decodeText,
  type EncodingFound,
  hasControlCharacters,
  type TextEncoding,
} from '../encoding/text-encoding.ts';
import { detectEncoding } from '../encoding/detect-encoding.ts';

const marks: Readonly<Partial<Record<TextEncoding, readonly number[]>>> = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
};
/** Encodings with up to two bytes per character. Texts in longer or stateful encodings are not written. */
const doubleByte: ReadonlySet<TextEncoding> = new Set(['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr']);
const reversed = new Map<TextEncoding, ReadonlyMap<string, readonly number[]>>();

/**
 * Encodes a text in its original encoding, with its byte order mark if it had one. Returns null if the encoding lacks a
 * character or can only be read.
 */
export function encodeText(
  text: string,
  { encoding, markBytes }: EncodingFound,
): Uint8Array<ArrayBuffer> | null {
  const mark = markBytes === 0 ? [] : (marks[encoding] ?? []);
  const content =
    encoding === 'utf-8'
      ? new TextEncoder().encode(text)
      : encoding === 'utf-16le' || encoding === 'utf-16be'
        ? wide(text, encoding === 'utf-16le')
        : legacy(text, encoding);
  if (content === null) return null;
  const bytes = new Uint8Array(mark.length + content.length);
  bytes.set(mark);
  bytes.set(content, mark.length);
  return bytes;
}

function wide(text: string, isLittle: boolean): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), isLittle);
  return bytes;
}

function legacy(text: string, encoding: TextEncoding): Uint8Array | null {
  const bytesOf = tableOf(encoding);
  const bytes: number[] = [];
  for (const character of text) {
    const found = bytesOf.get(character);
    if (found === undefined) return null;
    bytes.push(...found);
  }
  return Uint8Array.from(bytes);
}

/** Builds the table for encoding by decoding every byte sequence: browsers encode only UTF-8. */
function tableOf(encoding: TextEncoding): ReadonlyMap<string, readonly number[]> {
  const known = reversed.get(encoding);
  if (known !== undefined) return known;
  const decoder = new TextDecoder(encoding, { fatal: true });
  const table = new Map<string, readonly number[]>();
  const add = (...bytes: readonly number[]): void => {
    try {
      const text = decoder.decode(Uint8Array.from(bytes));
      if (Array.from(text).length === 1 && !table.has(text)) table.set(text, bytes);
    } catch {
      // No character has these bytes.
    }
  };
  if (encoding !== 'iso-2022-jp') for (let byte = 0; byte < 256; byte += 1) add(byte);
  if (doubleByte.has(encoding))
    for (let lead = 0x81; lead < 0xff; lead += 1)
      for (let trail = 0x40; trail < 0xff; trail += 1) add(lead, trail);
  reversed.set(encoding, table);
  return table;
}

/** A text that encodes to the original bytes if it is saved unchanged. */
export interface EditableText {
  readonly text: string;
  /** The line end of all lines, or `\n` if lines end differently. Other line ends then count as characters in the lines. */
  readonly lineEnd: '\n' | '\r\n' | '\r';
  readonly encoding: EncodingFound;
}

/** Decodes bytes for editing. Returns null if some bytes are not text and would be lost on saving. */
export function editableText(bytes: Uint8Array, chosen: TextEncoding | null = null): EditableText | null {
  const encoding = detectEncoding(bytes, chosen);
  const text = decodeText(bytes, encoding);
  // In a one-byte encoding every byte is a character, so only control characters show that the content is not text.
  if (!encoding.encoding.startsWith('utf-') && hasControlCharacters(text)) return null;
  const back = encodeText(text, encoding);
  if (back?.length !== bytes.length || back.some((byte, at) => byte !== bytes[at])) return null;
  return { text, lineEnd: lineEndOf(text), encoding };
}

function lineEndOf(text: string): EditableText['lineEnd'] {
  const crlf = text.includes('\r\n');
  const rest = crlf ? text.replaceAll('\r\n', '') : text;
  const hasLf = rest.includes('\n');
  const hasCr = rest.includes('\r');
  if (crlf && !hasLf && !hasCr) return '\r\n';
  return hasCr && !hasLf && !crlf ? '\r' : '\n';
}
