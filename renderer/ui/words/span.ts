import { formatExactDate, localeOf } from './format.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

type Unit = 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year';

const monthMs = 30.44 * dayMs;
const yearMs = 365.25 * dayMs;

const formats = new Map<string, Intl.NumberFormat>();

function inUnit(value: number, unit: Unit, long: boolean, locale: string | undefined): string {
  const used = localeOf(locale);
  const id = `${used ?? ''}:${unit}:${String(long)}`;
  let format = formats.get(id);
  if (format === undefined) {
    format = new Intl.NumberFormat(used, { style: 'unit', unit, unitDisplay: long ? 'long' : 'short' });
    formats.set(id, format);
  }
  return format.format(value);
}

/** How long something takes: `12 sec`, `3 min`, `2 hr 5 min`. Below a second it is one. */
export function formatSpan(ms: number, locale?: string): string {
  const span = Math.max(ms, secondMs);
  if (span < 90 * secondMs) return inUnit(Math.round(span / secondMs), 'second', false, locale);
  if (span < hourMs - minuteMs / 2) return inUnit(Math.round(span / minuteMs), 'minute', false, locale);
  if (span < 2 * dayMs) {
    const minutes = Math.round(span / minuteMs);
    const hours = inUnit(Math.floor(minutes / 60), 'hour', false, locale);
    return minutes % 60 === 0 ? hours : `${hours} ${inUnit(minutes % 60, 'minute', false, locale)}`;
  }
  return inUnit(Math.round(span / dayMs), 'day', false, locale);
}

/** The largest unit that a time has one of. null: less than a minute, or not yet. */
function ageUnit(ms: number): readonly [number, Unit] | null {
  if (Number.isNaN(ms) || ms < minuteMs) return null;
  if (ms < hourMs) return [minuteMs, 'minute'];
  if (ms < 2 * dayMs) return [hourMs, 'hour'];
  if (ms < 90 * dayMs) return [dayMs, 'day'];
  return ms < 2 * yearMs ? [monthMs, 'month'] : [yearMs, 'year'];
}

/** How long ago something was, in one unit: `5 minutes`, `3 days`, `2 years`. null: less than a minute, or not yet. */
export function formatAge(ms: number, locale?: string): string | null {
  const unit = ageUnit(ms);
  return unit === null ? null : inUnit(Math.floor(ms / unit[0]), unit[1], true, locale);
}

/** A time to the second, and how long ago that was: `2 January 2026 at 03:04:05 UTC (2 hours ago)`. */
export function formatExactDateAndAge(iso: string, nowMs: number, locale?: string): string {
  const exact = formatExactDate(iso, locale);
  const ms = nowMs - Date.parse(iso);
  const unit = ageUnit(ms);
  if (unit === null) return exact;
  const ago = new Intl.RelativeTimeFormat(localeOf(locale)).format(-Math.floor(ms / unit[0]), unit[1]);
  return `${exact} (${ago})`;
}
