import type { Retention } from '../../../shared/models/properties.ts';

/** The end of a day that was chosen as `2027-01-31`, in this computer's time zone; null: no day, or one that is over. */
export function untilOf(day: string, nowMs: number): string | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return null;
  const atMs = new Date(`${day}T23:59:59`).getTime();
  return Number.isNaN(atMs) || atMs <= nowMs ? null : new Date(atMs).toISOString();
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** The day of a time, as a date field has it. */
export function dayOf(iso: string): string {
  const at = new Date(iso);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Returns true if a governance retention becomes shorter or ends, which needs an extra permission. */
export function needsBypass(before: Retention | null, after: Retention | null): boolean {
  if (before?.mode !== 'GOVERNANCE') return false;
  return after === null || Date.parse(after.until) < Date.parse(before.until);
}
