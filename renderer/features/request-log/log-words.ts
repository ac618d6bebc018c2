import type { TFunction } from 'i18next';

/** Formats the time of day to the millisecond, which providers ask for. */
export function timeOfDay(iso: string, locale: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return iso;
  return new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  }).format(time);
}

export function durationText(durationMs: number, t: TFunction): string {
  return durationMs < 10_000
    ? t('requestLog.ms', { ms: Math.round(durationMs) })
    : t('requestLog.seconds', { seconds: (durationMs / 1000).toFixed(1) });
}
