import path from 'node:path';
import { expect, test } from 'vitest';
import { PlanTable, type PlannedRow } from '../../../../electron/core/sync/plan-table.ts';
import type { SyncFilter } from '../../../../shared/models/sync.ts';
import { tempDir } from '../../../support/temp-dir.ts';

function row(key: string, patch: Partial<PlannedRow>): PlannedRow {
  return {
    key,
    localName: key,
    kind: 'file',
    action: 'same',
    reason: null,
    local: null,
    remote: null,
    byTime: false,
    etag: null,
    localMs: null,
    keep: null,
    leaves: false,
    ...patch,
  };
}

test('blocked rows and rows to delete count as changes only with deletions', () => {
  const table = new PlanTable(path.join(tempDir(), 'plan.db'));
  table.addRows([
    row('new', { action: 'copy' }),
    row('blocked', { action: 'copy', reason: 'needs-deletion' }),
    row('changed', { action: 'overwrite', reason: 'size' }),
    row('only-there', { action: 'delete' }),
    row('same', {}),
    row('left', { action: 'skipped', reason: 'unreadable' }),
  ]);
  const keys = (filter: SyncFilter) => {
    const { rows, total } = table.read(filter, 0, 100);
    expect(total).toBe(rows.length);
    return rows.map(({ key }) => key);
  };
  expect(keys('changes')).toEqual(['new', 'changed']);
  expect(keys('changes-with-deletions')).toEqual(['new', 'blocked', 'changed', 'only-there']);
  expect(keys('delete')).toEqual(['only-there']);
  expect(table.read('changes-with-deletions', 1, 2).rows.map(({ key }) => key)).toEqual([
    'blocked',
    'changed',
  ]);
  table.drop();
});
