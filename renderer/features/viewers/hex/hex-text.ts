/** Bytes in one row. */
export const bytesPerRow = 16;

/** Formats an offset in hexadecimal, with as many digits as the last offset needs. */
export function offsetText(offset: number, sizeBytes: number): string {
  const digits = Math.max(8, Math.max(0, sizeBytes - 1).toString(16).length);
  return offset.toString(16).padStart(digits, '0');
}

/** Parses an offset as users write it: `4096`, `4,096`, `0x1000` or `1000h`. Returns null for anything else. */
export function parseOffset(text: string): number | null {
  const plain = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s,_']/g, '');
  const hex = /^0x([\da-f]+)$|^([\da-f]+)h$/.exec(plain);
  const offset = hex === null ? decimal(plain) : Number.parseInt(hex[1] ?? hex[2] ?? '', 16);
  return Number.isSafeInteger(offset) ? offset : null;
}

function decimal(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** Parses bytes as users write them: `de ad be ef`, `0xdeadbeef`, `DE:AD`. Returns null for anything else. */
export function parseHexBytes(text: string): Uint8Array | null {
  const digits = text.toLowerCase().replaceAll(/0x|[\s,:-]/g, '');
  if (digits === '' || digits.length % 2 !== 0 || /[^\da-f]/.test(digits)) return null;
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function byteText(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

/** Returns a printable ASCII character for its byte, and a dot for any other byte. */
export function asciiText(byte: number): string {
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·';
}
