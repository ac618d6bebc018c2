import { isControlCharacter } from '../encoding/control-characters.ts';
import { wideEncoding } from '../encoding/detect-encoding.ts';

/** Returns true if the beginning of a file is valid UTF-8 or UTF-16 without control characters that no text has. */
export function looksLikeText(head: Uint8Array): boolean {
  if (head.length === 0) return false;
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true;
  if (wideEncoding(head) !== null) return true;
  if (head.some(isControlCharacter)) return false;
  try {
    // The option `stream` accepts an incomplete character at the end.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
