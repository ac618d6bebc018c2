const bytesPerMebibyte = 1024 * 1024;
/** Minimum speed limit; a lower one would practically stop a transfer. */
const minBytesPerSecond = 1024;

/** Converts a typed speed in MiB per second to bytes per second; null if the field is empty. */
export function speedFrom(text: string): number | null | 'invalid' {
  if (text.trim() === '') return null;
  const value = Number(text.replace(',', '.'));
  if (!Number.isFinite(value) || value <= 0) return 'invalid';
  return Math.max(minBytesPerSecond, Math.round(value * bytesPerMebibyte));
}

/** Returns a speed limit as its field shows it, in MiB a second; empty: there is no limit. */
export function shownSpeed(bytesPerSecond: number | null): string {
  return bytesPerSecond === null ? '' : String(Math.round((bytesPerSecond / bytesPerMebibyte) * 1000) / 1000);
}
