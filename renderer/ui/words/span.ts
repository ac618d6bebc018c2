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

/** Formats a duration, such as `12 sec`, `3 min` or `2 hr 5 min`. The minimum is one second. */
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

/** Returns the unit for an age and its length in milliseconds. Null for less than a minute, or for the future. */
function ageUnit(ms: number): readonly [number, Unit] | null {
  if (Number.isNaN(ms) || ms < minuteMs) return null;
  if (ms < hourMs) return [minuteMs, 'minute'];
  if (ms < 2 * dayMs) return [hourMs, 'hour'];
  if (ms < 90 * dayMs) return [dayMs, 'day'];
  return ms < 2 * yearMs ? [monthMs, 'month'] : [yearMs, 'year'];
}

/**
 * Formats how long ago a moment was in one unit, such as `5 minutes` or `3 days`. Null for less than a minute, or for the future.
 */
export function formatAge(ms: number, locale?: string): string | null {
  const unit = ageUnit(ms);
  return unit === null ? null : inUnit(Math.floor(ms / unit[0]), unit[1], true, locale);
}

/** Formats a time to the second with its age, such as `2 January 2026 at 03:04:05 UTC (2 hours ago)`. */
export function formatExactDateAndAge(iso: string, nowMs: number, locale?: string): string {
  const exact = formatExactDate(iso, locale);
  const ms = nowMs - Date.parse(iso);
  const unit = ageUnit(ms);
  if (unit === null) return exact;
  const ago = new Intl.RelativeTimeFormat(localeOf(locale)).format(-Math.floor(ms / unit[0]), unit[1]);
  return `${exact} (${ago})`;
}
