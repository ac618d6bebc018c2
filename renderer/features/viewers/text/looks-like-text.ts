/** Whether the beginning of a file is text: valid UTF-8 or marked UTF-16, and no control characters that no text has. */
export function looksLikeText(head: Uint8Array): boolean {
  if (head.length === 0) return false;
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true;
  if (head.some(isControl)) return false;
  try {
    // The last character may go on behind the end.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Not tab, line feed, form feed, carriage return, nor escape, which coloured logs are full of. */
function isControl(byte: number): boolean {
  return byte < 32 && ![9, 10, 12, 13, 27].includes(byte);
}
