import { longestLinkSeconds } from '../../../shared/models/links.ts';

/** The times that are offered, in seconds. */
export const offeredSeconds = ['900', '3600', '43200', '86400', '259200', '604800'] as const;
export type OfferedSeconds = (typeof offeredSeconds)[number];

export interface OwnSpan {
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
}

/** null: not between one minute and seven days. */
export function secondsOf({ days, hours, minutes }: OwnSpan): number | null {
  const seconds = Math.round(days * 86_400 + hours * 3600 + minutes * 60);
  return seconds >= 60 && seconds <= longestLinkSeconds ? seconds : null;
}

/**
 * Browsers and most programs take `.` and `..` out of an address, encoded or not (URL Standard, "double-dot URL path
 * segment"), and so ask for another key.
 */
export function isSimplifiedByBrowsers(key: string): boolean {
  return key.split('/').some((segment) => segment === '.' || segment === '..');
}

/** A path for an SVG, one rectangle for each run of dark modules in a row. */
export function qrPath(size: number, isDark: (x: number, y: number) => boolean): string {
  let path = '';
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      if (!isDark(x, y)) continue;
      const start = x;
      while (x + 1 < size && isDark(x + 1, y)) x += 1;
      path += `M${start} ${y}h${x + 1 - start}v1h-${x + 1 - start}z`;
    }
  }
  return path;
}
