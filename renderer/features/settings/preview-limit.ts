const bytesPerMebibyte = 1024 * 1024;

/** A limit in bytes as the field shows it. */
export function mebibytesOf(limitBytes: number): number {
  return Math.round((limitBytes / bytesPerMebibyte) * 100) / 100;
}

/** The typed size in bytes; null if it is not a size. */
export function limitFrom(typed: number | string): number | null {
  const mebibytes = typeof typed === 'number' ? typed : Number.parseFloat(typed);
  if (!Number.isFinite(mebibytes) || mebibytes < 0) return null;
  const bytes = Math.round(mebibytes * bytesPerMebibyte);
  return Number.isSafeInteger(bytes) ? bytes : null;
}
