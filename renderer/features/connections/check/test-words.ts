/** Formats a duration in a suitable unit, in the window's language. */
export function formatClockSkew(seconds: number, locale: string): string {
  const span = Math.abs(seconds);
  const [value, unit] =
    span < 90
      ? ([span, 'second'] as const)
      : span < 90 * 60
        ? ([span / 60, 'minute'] as const)
        : span < 36 * 3600
          ? ([span / 3600, 'hour'] as const)
          : ([span / 86_400, 'day'] as const);
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.round(value),
  );
}
