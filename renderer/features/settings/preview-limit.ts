const bytesPerMebibyte = 1024 * 1024;

/** Converts a limit in bytes to the number of MiB that the field shows. */
export function mebibytesOf(limitBytes: number): number {
  return Math.round((limitBytes / bytesPerMebibyte) * 100) / 100;
}

/** Converts a typed size to bytes. Returns null for an invalid size. */
export function limitFrom(typed: number | string): number | null {
  const mebibytes = typeof typed === 'number' ? typed : Number.parseFloat(typed);
  if (!Number.isFinite(mebibytes) || mebibytes < 0) return null;
  const bytes = Math.round(mebibytes * bytesPerMebibyte);
  return Number.isSafeInteger(bytes) ? bytes : null;
}
