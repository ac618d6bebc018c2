const bytesPerMebibyte = 1024 * 1024;
/** Minimum speed limit. A lower limit would practically stop a transfer. */
const minBytesPerSecond = 1024;

/** Converts a typed speed in MiB per second to bytes per second. Returns null for an empty field. */
export function speedFrom(text: string): number | null | 'invalid' {
  if (text.trim() === '') return null;
  const value = Number(text.replace(',', '.'));
  if (!Number.isFinite(value) || value <= 0) return 'invalid';
  return Math.max(minBytesPerSecond, Math.round(value * bytesPerMebibyte));
}

/** Returns a speed limit in MiB per second for its field, or an empty text without a limit. */
export function shownSpeed(bytesPerSecond: number | null): string {
  return bytesPerSecond === null ? '' : String(Math.round((bytesPerSecond / bytesPerMebibyte) * 1000) / 1000);
}

/** Parses a number from 1 to 64. Returns null for any other text. */
export function parseCount(text: string): number | null {
  const value = Number(text);
  return text.trim() !== '' && Number.isInteger(value) && value >= 1 && value <= 64 ? value : null;
}
