import type { TFunction } from 'i18next';
import { formatCount } from '../../../ui/words/format.ts';

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Converts part numbers to sorted ranges. */
export function rangesOf(numbers: readonly number[]): readonly Range[] {
  const ranges: Range[] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last === undefined || number > last.to + 1) ranges.push({ from: number, to: number });
    else ranges[ranges.length - 1] = { from: last.from, to: Math.max(last.to, number) };
  }
  return ranges;
}

export function countInRanges(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);
}

/** Returns ranges as a short text, for example `6, 9–12 and 31 more parts`. */
export function rangesText(ranges: readonly Range[], t: TFunction, shown = 8): string {
  const text = ranges
    .slice(0, shown)
    .map(({ from, to }) => (from === to ? formatCount(from) : `${formatCount(from)}–${formatCount(to)}`))
    .join(', ');
  const rest = countInRanges(ranges.slice(shown));
  return rest === 0 ? text : t('stalled.ranges.more', { ranges: text, count: rest });
}
