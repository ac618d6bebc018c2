/** A typed number of MiB from 5 to 5120 as bytes; null for anything else. */
export function multipartFrom(typed: number | string): number | null {
  const value = typeof typed === 'number' ? typed : Number(typed.trim() === '' ? Number.NaN : typed);
  return Number.isInteger(value) && value >= 5 && value <= 5120 ? value * 1024 * 1024 : null;
}
