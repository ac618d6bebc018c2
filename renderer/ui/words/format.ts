import i18next, { t, type TFunction } from 'i18next';
import { otherNames } from '../../../shared/models/map-groups.ts';

/** The units of size. Each unit is 1,024 times the previous unit. */
const byteUnits = ['byte', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

/** Returns a cached Intl object. These are slow to create, and a table needs one per cell. */
function cached<T extends Intl.NumberFormat | Intl.DateTimeFormat>(key: string, make: () => T): T {
  const known = formats.get(key);
  if (known !== undefined) return known as T;
  const made = make();
  formats.set(key, made);
  return made;
}

/** The locales for dates and numbers. The English texts are British. */
const regions: Readonly<Record<string, string>> = { en: 'en-GB', ru: 'ru-RU' };

/** Returns the locale for dates and numbers, which follows the language of the window's texts. */
export function localeOf(locale?: string): string | undefined {
  if (locale !== undefined || !i18next.isInitialized) return locale;
  const language = i18next.resolvedLanguage;
  return language === undefined ? undefined : (regions[language] ?? language);
}

/** Formats a size in powers of 1024, such as `1.2 MiB`. Intl has no names for these units. */
export function formatBytes(sizeBytes: number, locale?: string): string {
  let value = sizeBytes;
  let index = 0;
  // From 1,023.5, rounding would show 1,024 of the smaller unit.
  while (value >= 1023.5 && index < byteUnits.length - 1) {
    value /= 1024;
    index += 1;
  }
  const unit = byteUnits[index] ?? 'byte';
  if (unit === 'byte') return formatExactBytes(Math.round(value), locale);
  const used = localeOf(locale);
  const fractionDigits = value >= 99.95 ? 0 : 1;
  const format = cached(
    `bytes:${used ?? ''}:${String(fractionDigits)}`,
    () => new Intl.NumberFormat(used, { maximumFractionDigits: fractionDigits }),
  );
  return `${format.format(value)}\u00A0${i18next.isInitialized ? t(`common.units.${unit}`) : unit}`;
}

/** Formats the exact size, such as `1,234,567 bytes`. */
export function formatExactBytes(sizeBytes: number, locale?: string): string {
  const used = localeOf(locale);
  const format = cached(
    `exact:${used ?? ''}`,
    () => new Intl.NumberFormat(used, { style: 'unit', unit: 'byte', unitDisplay: 'long' }),
  );
  return format.format(sizeBytes);
}

export function formatCount(count: number, locale?: string): string {
  const used = localeOf(locale);
  return cached(`count:${used ?? ''}`, () => new Intl.NumberFormat(used)).format(count);
}

/** Formats date and time to the minute. Returns the text itself if it is not a time. */
export function formatDate(iso: string, locale?: string): string {
  return formatTime(iso, 'short', locale);
}

/** Formats date and time to the second, for times that differ by less than a minute. */
export function formatDateToSecond(iso: string, locale?: string): string {
  return formatTime(iso, 'medium', locale);
}

/** Formats only the day, such as `12 Nov 2026`. Returns the text itself if it is not a time. */
export function formatDay(iso: string, locale?: string): string {
  return formatTime(iso, 'day', locale);
}

/** Formats the time of day, to the second. */
export function formatTimeOfDay(iso: string, locale?: string): string {
  return formatTime(iso, 'timeOfDay', locale);
}

/** Formats a moment. Shows only the time within the last 12 hours, otherwise also the date. */
export function formatMoment(atMs: number, locale?: string, nowMs = Date.now()): string {
  const iso = new Date(atMs).toISOString();
  return nowMs - atMs < 12 * 3_600_000 ? formatTimeOfDay(iso, locale) : formatDate(iso, locale);
}

/** Formats a fraction of 1: `12.5%`. */
export function formatShare(share: number, locale?: string): string {
  const used = localeOf(locale);
  const options = { style: 'percent', maximumFractionDigits: 1 } as const;
  return cached(`share:${used ?? ''}`, () => new Intl.NumberFormat(used, options)).format(share);
}

/** Formats date and time to the second, with the time zone. */
export function formatExactDate(iso: string, locale?: string): string {
  return formatTime(iso, 'long', locale);
}

const timeStyles = {
  day: { dateStyle: 'medium' },
  timeOfDay: { timeStyle: 'medium' },
  short: { dateStyle: 'medium', timeStyle: 'short' },
  medium: { dateStyle: 'medium', timeStyle: 'medium' },
  long: { dateStyle: 'long', timeStyle: 'long' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

function formatTime(iso: string, style: keyof typeof timeStyles, locale: string | undefined): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return iso;
  const used = localeOf(locale);
  return cached(`time:${style}:${used ?? ''}`, () => new Intl.DateTimeFormat(used, timeStyles[style])).format(
    time,
  );
}

/** Returns the display name for a storage class or an owner. Names that a map merges share one display name. */
export function groupText(name: string, t: TFunction): string {
  return name === otherNames ? t('common.others') : name;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

type Unit = 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year';

const monthMs = 30.44 * dayMs;
const yearMs = 365.25 * dayMs;

function inUnit(value: number, unit: Unit, long: boolean, locale: string | undefined): string {
  const used = localeOf(locale);
  const options = { style: 'unit', unit, unitDisplay: long ? 'long' : 'short' } as const;
  return cached(
    `${unit}:${used ?? ''}:${options.unitDisplay}`,
    () => new Intl.NumberFormat(used, options),
  ).format(value);
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
