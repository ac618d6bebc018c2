import { longestLinkSeconds } from '../../../shared/models/links.ts';

/** The offered lifetimes, in seconds. */
export const offeredSeconds = ['900', '3600', '43200', '86400', '259200', '604800'] as const;
export type OfferedSeconds = (typeof offeredSeconds)[number];

export interface CustomLifetime {
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
}

/** Converts a typed lifetime to seconds. Returns null unless it is between one minute and seven days. */
export function secondsOf({ days, hours, minutes }: CustomLifetime): number | null {
  const seconds = Math.round(days * 86_400 + hours * 3600 + minutes * 60);
  return seconds >= 60 && seconds <= longestLinkSeconds ? seconds : null;
}

/**
 * Returns true if the key has segments `.` or `..`. Even if these are encoded, browsers and most programs resolve them in an
 * address and so request another key (URL Standard, "double-dot URL path segment").
 */
export function isSimplifiedByBrowsers(key: string): boolean {
  return key.split('/').some((segment) => segment === '.' || segment === '..');
}

/** Returns an SVG path with a rectangle for each run of dark modules in a row. */
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
