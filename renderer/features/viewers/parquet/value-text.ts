const longestValue = 2000;
const shownBytes = 32;

/** A value of a table as one line of text; null stays null. */
export function valueText(value: unknown): string | null {
  switch (typeof value) {
    case 'undefined':
      return null;
    case 'string':
      return value.slice(0, longestValue);
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      break;
  }
  if (value === null) return null;
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? '?' : value.toISOString().replace('T00:00:00.000Z', '');
  if (value instanceof Uint8Array) return hex(value);
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'bigint' ? String(inner) : inner instanceof Uint8Array ? hex(inner) : inner,
  ).slice(0, longestValue);
}

function hex(bytes: Uint8Array): string {
  const digits = Array.from(bytes.subarray(0, shownBytes), (byte) => byte.toString(16).padStart(2, '0'));
  return `0x${digits.join('')}${bytes.length > shownBytes ? '…' : ''}`;
}
