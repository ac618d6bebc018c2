const bytesPerMebibyte = 1024 * 1024;
/** A slower limit would stop a transfer rather than slow it down. */
const minBytesPerSecond = 1024;

/** Returns a typed speed in MiB a second as bytes a second; null: the field is empty. */
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
