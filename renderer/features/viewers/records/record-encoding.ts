/** The encodings that text is read in; the names are those of TextDecoder. */
export type RecordEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1251' | 'windows-1252';

/**
 * By its byte order mark; UTF-8 if the bytes are valid; otherwise the single-byte encoding that fits: Cyrillic letters appear
 * side by side in windows-1251, while accented ones of windows-1252 are isolated.
 */
export function recordEncodingOf(start: Uint8Array): RecordEncoding {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return 'utf-8';
  } catch {
    return looksCyrillic(start) ? 'windows-1251' : 'windows-1252';
  }
}

function looksCyrillic(bytes: Uint8Array): boolean {
  let high = 0;
  let beside = 0;
  bytes.forEach((byte, at) => {
    if (byte < 0xc0) return;
    high += 1;
    if ((bytes[at - 1] ?? 0) >= 0xc0) beside += 1;
  });
  return beside * 2 > high;
}
