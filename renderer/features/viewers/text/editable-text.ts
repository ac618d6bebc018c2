import { hasControlCharacters } from '../encoding/control-characters.ts';
import { detectEncoding } from '../encoding/detect-encoding.ts';
import { encodeText } from '../encoding/encode-text.ts';
import { decodeText, type EncodingFound, type TextEncoding } from '../encoding/text-encoding.ts';

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
