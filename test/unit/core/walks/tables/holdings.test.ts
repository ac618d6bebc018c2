import path from 'node:path';
import { expect, test } from 'vitest';
import { WalkTable } from '../../../../../electron/core/walks/tables/table.ts';
import type { Holding } from '../../../../../shared/models/prices.ts';
import { holdingsOf } from '../../../../../shared/pricing/holdings.ts';
import { tempDir } from '../../../../support/temp-dir.ts';

const smallest = [{ storageClass: 'STANDARD_IA', bytes: 131_072 }];

function inOrder(all: readonly Holding[]): readonly Holding[] {
  return all.toSorted((a, b) => `${a.storageClass} ${a.month}`.localeCompare(`${b.storageClass} ${b.month}`));
}

test('search results are summed by class and month as the rows of a list are', () => {
  const table = new WalkTable(path.join(tempDir(), 'rows.db'));
  const rows = [
    ['a', 10, '2026-01-05T10:00:00.000Z', null, 'STANDARD'],
    ['b', 20, '2026-01-31T23:59:59.000Z', null, null],
    ['c', 5, '2026-02-01T00:00:00.000Z', null, 'STANDARD_IA'],
    ['d', 500_000, '2026-02-02T00:00:00.000Z', null, 'STANDARD_IA'],
    ['e', 7, null, null, 'GLACIER'],
  ] as const;
  table.add({ rows: new Uint8Array(Buffer.from(JSON.stringify(rows.flat()))), children: [] });
  const objects = rows.map(([, sizeBytes, modified, , storageClass]) => ({
    sizeBytes,
    storageClass,
    modifiedMs: Date.parse(modified ?? ''),
  }));
  expect(inOrder(table.holdings({ smallest }))).toEqual(inOrder(holdingsOf(objects, smallest)));
  expect(table.holdings({ smallest: [] }).reduce((sum, { billedBytes }) => sum + billedBytes, 0)).toBe(
    500_042,
  );
  table.drop();
});
