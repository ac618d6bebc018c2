import type { PartRun, PartState } from '../../../../shared/models/stalled.ts';

/** A rectangle in the part bar: the parts `from` to `to`, drawn in one state. */
export interface StripRect extends PartRun {
  readonly x: number;
  readonly width: number;
}

/** The rank of a part's state. Parts in a shared column are drawn in their highest-ranking state. */
const weight: Readonly<Record<PartState, number>> = {
  missing: 5,
  differs: 4,
  'too-small': 3,
  unverifiable: 2,
  present: 1,
  verified: 0,
};

/** Minimum width of a cell for a single part. Narrower parts share a column. */
const narrowestCell = 6;
/** Minimum width of a column, in pixels. */
const narrowestColumn = 2;

/** Returns the number of parts that the bar shows. */
export function partsInRuns(runs: readonly PartRun[]): number {
  return runs.at(-1)?.to ?? 0;
}

/**
 * Returns the rectangles of the bar, one per part. If parts are too narrow, returns columns in the worst state of their parts.
 */
export function stripRects(runs: readonly PartRun[], width: number): readonly StripRect[] {
  const total = partsInRuns(runs);
  if (total === 0 || width <= 0) return [];
  const cell = width / total;
  if (cell >= narrowestCell) return cells(runs, cell);
  return merged(
    columns(runs, total, Math.max(1, Math.min(total, Math.floor(width / narrowestColumn)))),
    width,
  );
}

function cells(runs: readonly PartRun[], cell: number): readonly StripRect[] {
  const gap = Math.min(2, cell / 4);
  const rects: StripRect[] = [];
  for (const { from, to, state } of runs)
    for (let part = from; part <= to; part += 1)
      rects.push({ x: (part - 1) * cell, width: cell - gap, state, from: part, to: part });
  return rects;
}

function columns(runs: readonly PartRun[], total: number, count: number): readonly PartRun[] {
  const made: PartRun[] = [];
  let run = 0;
  for (let index = 0; index < count; index += 1) {
    const from = Math.floor((index * total) / count) + 1;
    const to = Math.floor(((index + 1) * total) / count);
    while ((runs[run]?.to ?? total) < from) run += 1;
    let state = runs[run]?.state ?? 'missing';
    for (let next = run; (runs[next]?.from ?? total + 1) <= to; next += 1) {
      const other = runs[next]?.state ?? state;
      if (weight[other] > weight[state]) state = other;
    }
    made.push({ from, to, state });
  }
  return made;
}

function merged(all: readonly PartRun[], width: number): readonly StripRect[] {
  const column = width / all.length;
  const rects: StripRect[] = [];
  for (const [index, { from, to, state }] of all.entries()) {
    const last = rects.at(-1);
    if (last?.state === state)
      rects[rects.length - 1] = { ...last, width: (index + 1) * column - last.x, to };
    else rects.push({ x: index * column, width: column, state, from, to });
  }
  return rects;
}

/** Counts the parts in each state. */
export function countStates(runs: readonly PartRun[]): Readonly<Partial<Record<PartState, number>>> {
  const counts: Partial<Record<PartState, number>> = {};
  for (const { from, to, state } of runs) counts[state] = (counts[state] ?? 0) + to - from + 1;
  return counts;
}

/** Returns the number of the part at a point in the bar, or null outside. */
export function partAt(runs: readonly PartRun[], width: number, x: number): number | null {
  const total = partsInRuns(runs);
  if (total === 0 || x < 0 || x >= width) return null;
  return Math.min(total, Math.floor((x / width) * total) + 1);
}

/** Returns the run with this part, or null. */
export function runOf(runs: readonly PartRun[], partNumber: number): PartRun | null {
  return runs.find(({ from, to }) => from <= partNumber && partNumber <= to) ?? null;
}
