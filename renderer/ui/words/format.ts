import i18next, { t } from 'i18next';

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
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) return iso;
  const used = localeOf(locale);
  return cached(`date:${used ?? ''}`, () => new Intl.DateTimeFormat(used, { dateStyle: 'medium' })).format(
    ms,
  );
}

/** Formats the time of day, to the second. */
export function formatTimeOfDay(iso: string, locale?: string): string {
  const used = localeOf(locale);
  return cached(`day:${used ?? ''}`, () => new Intl.DateTimeFormat(used, { timeStyle: 'medium' })).format(
    Date.parse(iso),
  );
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
