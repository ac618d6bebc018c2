import { expect, test } from 'vitest';
import { grownFloats, grownInts, HashPlaces, mixed } from '../../../../../electron/core/walks/map/columns.ts';

const hashOf = (place: number): number => mixed(place, 7);

test('a growing column keeps its numbers and detaches the old buffer', () => {
  const ints = new Uint32Array([1, 2, 3]);
  const longer = grownInts(ints, 100);
  expect(longer.length).toBeGreaterThanOrEqual(100);
  expect([...longer.subarray(0, 4)]).toEqual([1, 2, 3, 0]);
  expect(ints.buffer.detached).toBe(true);
  const floats = new Float64Array([0.5, 2 ** 40]);
  expect([...grownFloats(floats, 64).subarray(0, 3)]).toEqual([0.5, 2 ** 40, 0]);
  expect(floats.buffer.detached).toBe(true);
});

test('a column that is long enough is returned unchanged', () => {
  const ints = new Uint32Array(8);
  expect(grownInts(ints, 8)).toBe(ints);
  expect(ints.buffer.detached).toBe(false);
});

test('hash positions are found for any number of entries', () => {
  const places = new HashPlaces();
  for (let place = 0; place < 20_000; place += 1) places.add(place, hashOf);
  for (let place = 0; place < 20_000; place += 1)
    expect(places.find(hashOf(place), (candidate) => candidate === place)).toBe(place);
  expect(places.find(mixed(20_000, 7), (candidate) => candidate === 20_000)).toBe(-1);
});
