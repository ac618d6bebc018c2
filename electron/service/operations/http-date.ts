/** A date of a header in seconds since 1970; null where there is none, or it cannot be read. */
export function secondsOf(date: string | undefined): number | null {
  const ms = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
}
