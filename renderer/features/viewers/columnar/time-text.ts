import { countPerSecond, type TimeUnit } from './value.ts';

const secondsPerDay = 86_400n;

/** Formats a day, counted from 1970-01-01, as ISO 8601. Does not use `Date`, which covers fewer years than 64 bits do. */
export function dateText(days: number): string {
  // The calendar repeats every 400 years. Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${yearText(year)}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** Formats a time of day with as many digits as its unit has. */
export function clockText(count: bigint, unit: TimeUnit): string {
  const perSecond = countPerSecond(unit);
  if (count < 0n || count > secondsPerDay * perSecond) return `${String(count)} ${unit}`;
  const seconds = Number(count / perSecond);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return clock.map(twoDigits).join(':') + fraction(count % perSecond, perSecond);
}

/** Formats a timestamp as ISO 8601 with as many digits as its unit has. */
export function timestampText(count: bigint, unit: TimeUnit, isUtc: boolean): string {
  const perDay = secondsPerDay * countPerSecond(unit);
  const ofDay = ((count % perDay) + perDay) % perDay;
  return `${dateText(Number((count - ofDay) / perDay))}T${clockText(ofDay, unit)}${isUtc ? 'Z' : ''}`;
}

/** Formats a duration as ISO 8601, such as `P1M2DT3.5S`. Does not convert months, days and nanoseconds into each other. */
export function intervalText(months: number, days: number, nanoseconds: bigint): string {
  const parts = [months === 0 ? '' : `${String(months)}M`, days === 0 ? '' : `${String(days)}D`].join('');
  if (nanoseconds === 0n && parts !== '') return `P${parts}`;
  const perSecond = countPerSecond('ns');
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const rest = fraction(size % perSecond, perSecond).replace(/\.?0*$/, '');
  return `P${parts}T${nanoseconds < 0n ? '-' : ''}${String(size / perSecond)}${rest}S`;
}

function fraction(rest: bigint, perSecond: bigint): string {
  return perSecond === 1n ? '' : `.${String(rest).padStart(String(perSecond).length - 1, '0')}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function yearText(year: number): string {
  return `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}`;
}
