import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CellRuns, type Cells } from '../../../../../electron/core/walks/map/cell-runs.ts';

type Sums = Record<string, readonly [objects: number, sizeBytes: number]>;

const code = fc.oneof(fc.nat({ max: 5 }), fc.constantFrom(2 ** 29 - 1, 2 ** 28));
const count = fc.oneof(fc.constant(1), fc.nat({ max: 9 }), fc.constantFrom(2 ** 32 - 1, 2 ** 32, 2 ** 40));
const size = fc.oneof(fc.nat(), fc.constantFrom(0, 2 ** 32 - 1, 2 ** 32, 2 ** 48));
const cells = fc
  .uniqueArray(fc.tuple(code, count, size), {
    selector: ([cellCode]) => cellCode,
    minLength: 1,
    maxLength: 5,
  })
  .map((all): Cells => all.flat());
const additions = fc.array(fc.tuple(fc.nat({ max: 4 }), cells), { maxLength: 30 });

function sumsOf(
  visitAll: (visit: (...cell: readonly [number, number, number, number]) => void) => void,
): Sums {
  const sums: Record<string, [number, number]> = {};
  visitAll((folder, ofCode, objects, sizeBytes) => {
    const sum = (sums[`${String(folder)} ${String(ofCode)}`] ??= [0, 0]);
    sum[0] += objects;
    sum[1] += sizeBytes;
  });
  return sums;
}

function eachOf(
  cellsOfFolder: Cells,
  folder: number,
  visit: (...cell: [number, number, number, number]) => void,
) {
  for (let at = 0; at < cellsOfFolder.length; at += 3)
    visit(folder, cellsOfFolder[at] ?? 0, cellsOfFolder[at + 1] ?? 0, cellsOfFolder[at + 2] ?? 0);
}

test('the cells of each folder add up to what was added, also repeatedly and after storing', () => {
  fc.assert(
    fc.property(additions, (all) => {
      const runs = new CellRuns();
      for (const [folder, added] of all) runs.add(folder, added);
      const expected = sumsOf((visit) => {
        for (const [folder, added] of all) eachOf(added, folder, visit);
      });
      const stored = CellRuns.of(
        runs.blocks().map((block) => block.slice()),
        5,
      );
      for (const source of [runs, stored]) {
        expect(sumsOf((visit) => source.eachPart(visit))).toEqual(expected);
        expect(
          sumsOf((visit) => {
            for (let folder = 0; folder < 5; folder += 1) source.eachPartOf(folder, visit);
          }),
        ).toEqual(expected);
        const seen = new Set<string>();
        for (const [folder, whole] of source.wholes())
          eachOf(whole, folder, (...[, ofCode, objects, sizeBytes]) => {
            const name = `${String(folder)} ${String(ofCode)}`;
            expect(seen.has(name)).toBe(false);
            seen.add(name);
            expect([objects, sizeBytes]).toEqual(expected[name]);
          });
        expect(seen.size).toBe(Object.keys(expected).length);
      }
    }),
  );
});

test('a folder added very often keeps its sums in bounded memory', () => {
  const runs = new CellRuns();
  for (let time = 0; time < 200_000; time += 1) runs.add(time % 3, [time % 7, 1, 10]);
  const whole = [...runs.wholes()];
  expect(whole.map(([folder]) => folder)).toEqual([0, 1, 2]);
  let objects = 0;
  let sizeBytes = 0;
  runs.eachPart((_folder, _code, more, bytes) => {
    objects += more;
    sizeBytes += bytes;
  });
  expect([objects, sizeBytes]).toEqual([200_000, 2_000_000]);
  const words = runs.blocks().reduce((sum, block) => sum + block.length, 0);
  expect(words).toBeLessThan(2 * 2 ** 16);
});

test('runs longer than a block are read whole and can grow after being stored', () => {
  const runs = new CellRuns();
  const many: Cells = Array.from({ length: 50_000 }, (_, at) => [at, 1, at]).flat();
  runs.add(0, many);
  runs.add(1, [3, 2, 5]);
  expect(runs.blocks().length).toBeGreaterThan(1);
  const stored = CellRuns.of(
    runs.blocks().map((block) => block.slice()),
    2,
  );
  stored.add(0, [7, 1, 100]);
  const whole = new Map(stored.wholes());
  expect(whole.get(0)?.length).toBe(many.length);
  const sevens = (whole.get(0) ?? []).findIndex((value, at) => at % 3 === 0 && value === 7);
  expect(whole.get(0)?.slice(sevens, sevens + 3)).toEqual([7, 2, 107]);
  expect(whole.get(1)).toEqual([3, 2, 5]);
});

test('blocks that do not match the number of folders are refused', () => {
  const runs = new CellRuns();
  runs.add(3, [1, 1, 1, 2, 5, 2 ** 40]);
  const blocks = runs.blocks().map((block) => block.slice());
  expect(() => CellRuns.of(blocks, 3)).toThrow(RangeError);
  const [block] = blocks;
  for (let length = 2; length < (block?.length ?? 0); length += 1)
    expect(() => CellRuns.of(block === undefined ? [] : [block.slice(0, length)], 4)).toThrow(RangeError);
  expect(() => CellRuns.of([new Uint32Array(2 ** 16 + 1)], 4)).toThrow(RangeError);
});
