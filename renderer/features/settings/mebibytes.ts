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

/** S3's limits for a part and for a whole PUT: 5 MiB to 5 GiB (Amazon S3 multipart upload limits). */
export const partBoundsMiB = { min: 5, max: 5120 } as const;

/** Converts a typed number of MiB from 5 to 5120 to bytes. Returns null for anything else. */
export function partBytesFrom(typed: number | string): number | null {
  const value = typeof typed === 'number' ? typed : Number(typed.trim() === '' ? Number.NaN : typed);
  const { min, max } = partBoundsMiB;
  return Number.isInteger(value) && value >= min && value <= max ? value * 1024 * 1024 : null;
}
