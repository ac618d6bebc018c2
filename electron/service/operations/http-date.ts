/** Returns a header's date in seconds since 1970; null if it is missing or invalid. */
export function secondsOf(date: string | undefined): number | null {
  const ms = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
}
