import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countStates,
  partAt,
  partsInRuns,
  runOf,
  stripRects,
} from '../../../../../renderer/features/stalled/detail/strip-geometry.ts';
import { partStates, type PartRun } from '../../../../../shared/models/stalled.ts';

const runsOf = fc
  .array(fc.record({ length: fc.integer({ min: 1, max: 400 }), state: fc.constantFrom(...partStates) }), {
    minLength: 1,
    maxLength: 30,
  })
  .map((pieces) => {
    const runs: PartRun[] = [];
    let from = 1;
    for (const { length, state } of pieces) {
      runs.push({ from, to: from + length - 1, state });
      from += length;
    }
    return runs;
  });

const widths = fc.integer({ min: 200, max: 1600 });

describe('the strip of parts', () => {
  it('gives each of a few parts its own cell', () => {
    const rects = stripRects(
      [
        { from: 1, to: 2, state: 'present' },
        { from: 3, to: 3, state: 'missing' },
      ],
      300,
    );
    expect(rects.map(({ from, to, state }) => [from, to, state])).toEqual([
      [1, 1, 'present'],
      [2, 2, 'present'],
      [3, 3, 'missing'],
    ]);
    expect(rects.map(({ x }) => x)).toEqual([0, 100, 200]);
  });

  it('keeps a single missing part among ten thousand visible', () => {
    const rects = stripRects(
      [
        { from: 1, to: 7776, state: 'present' },
        { from: 7777, to: 7777, state: 'missing' },
        { from: 7778, to: 10_000, state: 'present' },
      ],
      600,
    );
    const hole = rects.find(({ state }) => state === 'missing');
    expect(hole?.width).toBeGreaterThanOrEqual(2);
    expect(hole?.from).toBeLessThanOrEqual(7777);
    expect(hole?.to).toBeGreaterThanOrEqual(7777);
  });

  it('is empty without parts or width', () => {
    expect(stripRects([], 500)).toEqual([]);
    expect(stripRects([{ from: 1, to: 4, state: 'present' }], 0)).toEqual([]);
  });

  it('covers the whole width in order, without overlaps, each part once', () => {
    fc.assert(
      fc.property(runsOf, widths, (runs, width) => {
        const rects = stripRects(runs, width);
        let x = 0;
        let part = 0;
        for (const rect of rects) {
          expect(rect.x).toBeGreaterThanOrEqual(x - 1e-6);
          expect(rect.x - x).toBeLessThanOrEqual(2 + 1e-6);
          expect(rect.width).toBeGreaterThan(0);
          expect(rect.from).toBe(part + 1);
          x = rect.x + rect.width;
          part = rect.to;
        }
        expect(x).toBeLessThanOrEqual(width + 1e-6);
        expect(width - x).toBeLessThanOrEqual(2 + 1e-6);
        expect(part).toBe(partsInRuns(runs));
      }),
    );
  });

  it('shows every missing part', () => {
    fc.assert(
      fc.property(runsOf, widths, (runs, width) => {
        const rects = stripRects(runs, width);
        for (const run of runs.filter(({ state }) => state === 'missing')) {
          const drawn = rects.find(({ from, to }) => from <= run.from && run.from <= to);
          expect(drawn?.state).toBe('missing');
        }
      }),
    );
  });

  it('never covers a missing part with a present one', () => {
    fc.assert(
      fc.property(runsOf, widths, (runs, width) => {
        for (const rect of stripRects(runs, width)) {
          if (rect.state === 'missing') continue;
          for (const run of runs) {
            const overlaps = run.from <= rect.to && rect.from <= run.to;
            expect(overlaps && run.state === 'missing').toBe(false);
          }
        }
      }),
    );
  });
});

describe('reading the strip of parts', () => {
  it('counts each state', () => {
    expect(
      countStates([
        { from: 1, to: 4, state: 'verified' },
        { from: 5, to: 5, state: 'missing' },
        { from: 6, to: 9, state: 'verified' },
      ]),
    ).toEqual({ verified: 8, missing: 1 });
  });

  it('finds the part and run under the pointer', () => {
    fc.assert(
      fc.property(runsOf, widths, fc.double({ min: 0, max: 0.9999, noNaN: true }), (runs, width, where) => {
        const part = partAt(runs, width, where * width);
        expect(part).not.toBeNull();
        const run = runOf(runs, part ?? 0);
        expect(run?.from).toBeLessThanOrEqual(part ?? 0);
        expect(run?.to).toBeGreaterThanOrEqual(part ?? 0);
      }),
    );
    expect(partAt([{ from: 1, to: 3, state: 'present' }], 100, -1)).toBeNull();
    expect(partAt([{ from: 1, to: 3, state: 'present' }], 100, 100)).toBeNull();
    expect(runOf([{ from: 1, to: 3, state: 'present' }], 4)).toBeNull();
  });
});
