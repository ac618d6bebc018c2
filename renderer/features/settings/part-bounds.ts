/** S3's limits for a part and for a whole PUT: 5 MiB to 5 GiB (Amazon S3 multipart upload limits). */
export const partBoundsMiB = { min: 5, max: 5120 } as const;

/** Converts a typed number of MiB from 5 to 5120 to bytes. Returns null for anything else. */
export function partBytesFrom(typed: number | string): number | null {
  const value = typeof typed === 'number' ? typed : Number(typed.trim() === '' ? Number.NaN : typed);
  const { min, max } = partBoundsMiB;
  return Number.isInteger(value) && value >= min && value <= max ? value * 1024 * 1024 : null;
}
