import { array, assert, integer, property, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growthLine, histogramOf } from '../../../../renderer/features/map/charts.ts';
import { layOut, nodeAt } from '../../../../renderer/features/map/treemap-layout.ts';
import { keyOfNode } from '../../../../renderer/features/map/node-words.ts';
import { nodeColours, palette } from '../../../../renderer/features/map/colours.ts';
import type { MapNode } from '../../../../shared/models/map.ts';

const node = (parent: number, kind: MapNode['kind'], name: string, sizeBytes = 1): MapNode => ({
  parent,
  kind,
  name,
  sizeBytes,
  objects: 1,
  group: '',
  newest: null,
});

describe('the treemap layout', () => {
  test('gives each node an area in proportion to its value, without overlaps', () => {
    assert(
      property(array(integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 12 }), (values) => {
        const parents = Int32Array.from([-1, ...values.map(() => 0)]);
        const sizes = Float64Array.from([0, ...values]);
        const side = 2000;
        const rects = layOut({ parents, values: sizes, widthPx: side, heightPx: side });
        const total = values.reduce((sum, value) => sum + value, 0);
        for (const [at, value] of values.entries()) {
          const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = rects.subarray((at + 1) * 4, (at + 2) * 4);
          const wanted = (value / total) * side * side;
          // Rounding to whole pixels and the gaps between the nodes change each area slightly.
          expect(Math.abs((x1 - x0) * (y1 - y0) - wanted)).toBeLessThan(wanted * 0.05 + 4 * side * 2);
          expect(nodeAt(rects, parents, (x0 + x1) / 2, (y0 + y1) / 2)).toBe(at + 1);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('nests the contents of a folder within it and finds the innermost node at a point', () => {
    const parents = Int32Array.from([-1, 0, 0, 1, 1]);
    const rects = layOut({
      parents,
      values: Float64Array.from([0, 0, 4, 3, 3]),
      widthPx: 400,
      heightPx: 300,
    });
    const of = (at: number) => [...rects.subarray(at * 4, at * 4 + 4)];
    const [left = 0, top = 0, right = 0, bottom = 0] = of(1);
    for (const inner of [3, 4]) {
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = of(inner);
      expect(x0 >= left && y0 >= top && x1 <= right && y1 <= bottom).toBe(true);
      expect(nodeAt(rects, parents, (x0 + x1) / 2, (y0 + y1) / 2)).toBe(inner);
    }
    expect(nodeAt(rects, parents, -5, 10)).toBe(-1);
  });

  test('returns nothing for no nodes', () => {
    expect([
      ...layOut({ parents: new Int32Array(0), values: new Float64Array(0), widthPx: 9, heightPx: 9 }),
    ]).toEqual([]);
  });
});

test('a treemap node has a key, except one of several objects', () => {
  const nodes = [
    node(-1, 'folder', ''),
    node(0, 'folder', 'a'),
    node(1, 'object', 'b.txt'),
    node(1, 'files', ''),
  ];
  expect(keyOfNode(nodes, 2, 'top/')).toBe('top/a/b.txt');
  expect(keyOfNode(nodes, 1, 'top/')).toBe('top/a/');
  expect(keyOfNode(nodes, 3, 'top/')).toBeNull();
});

test('when coloured by folder, all nodes below a top folder share its colour', () => {
  const nodes = [
    node(-1, 'folder', ''),
    node(0, 'folder', 'a'),
    node(0, 'folder', 'b'),
    node(1, 'object', 'x'),
  ];
  const colours = nodeColours(nodes, 'folder', []);
  expect(colours[3]).toBe(colours[1]);
  expect(colours[2]).not.toBe(colours[1]);
});

/** Returns the contrast with white as defined by WCAG 2.2, 1.4.3. */
function contrastWithWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

test.each(palette)('white text has enough contrast on %s', (colour) => {
  expect(contrastWithWhite(colour)).toBeGreaterThanOrEqual(4.5);
});

test('a histogram has a bar for each month or year between and counts every byte once', () => {
  assert(
    property(
      array(
        tuple(integer({ min: 1990, max: 2030 }), integer({ min: 1, max: 12 }), integer({ min: 1, max: 9 })),
        { maxLength: 20 },
      ),
      (months) => {
        const sums = new Map<string, number>();
        for (const [year, month, size] of months) {
          const name = `${String(year)}-${String(month).padStart(2, '0')}`;
          sums.set(name, (sums.get(name) ?? 0) + size);
        }
        const bars = histogramOf([...sums].map(([name, sizeBytes]) => ({ name, objects: 1, sizeBytes })));
        const total = months.reduce((sum, [, , size]) => sum + size, 0);
        expect(bars.reduce((sum, bar) => sum + bar.sizeBytes, 0)).toBe(total);
        expect(bars.length).toBeLessThanOrEqual(24);
      },
    ),
  );
});

const point = (takenAt: string, sizeBytes: number) => ({ prefix: '', takenAt, objects: 1, sizeBytes });

test('a growth line spans its first to its last time', () => {
  expect(growthLine([point('2026-01-01', 5), point('2026-01-02', 10), point('2026-01-03', 0)], 100, 50)).toBe(
    '0.0,25.0 50.0,0.0 100.0,50.0',
  );
});
