import { expect, it } from 'vitest';
import { holdingsOf, smallestAs } from '../../../../shared/pricing/holdings.ts';
import { shippedPrices } from '../../../../shared/pricing/shipped.ts';

const modifiedMs = Date.parse('2026-03-05T00:00:00Z');

it('objects are summed by class and month with their minimum billed sizes', () => {
  const objects = [
    { sizeBytes: 10, storageClass: 'COLD', modifiedMs },
    { sizeBytes: 200, storageClass: 'COLD', modifiedMs },
    { sizeBytes: 5, storageClass: null, modifiedMs: Number.NaN },
  ];
  expect(holdingsOf(objects, [{ storageClass: 'COLD', bytes: 100 }])).toEqual([
    { storageClass: 'COLD', month: '2026-03', objects: 2, sizeBytes: 210, billedBytes: 300 },
    { storageClass: 'STANDARD', month: '', objects: 1, sizeBytes: 5, billedBytes: 5 },
  ]);
});

it('objects are summed as if they already had another class', () => {
  const list = shippedPrices('aws', 'us-east-1');
  if (list === null) throw new Error('There is no list.');
  expect(smallestAs(list, 'STANDARD_IA', ['STANDARD'])).toEqual([
    { storageClass: 'STANDARD', bytes: 131_072 },
  ]);
});
