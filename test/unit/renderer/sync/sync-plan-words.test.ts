import { describe, expect, test } from 'vitest';
import { filtersOf, shownFilter } from '../../../../renderer/features/sync/sync-plan-words.ts';
import type { SyncAction, SyncStatus } from '../../../../shared/models/sync.ts';

const none = { items: 0, sizeBytes: 0 };

function status(items: Partial<Record<SyncAction, number>>, needDeletion = 0): SyncStatus {
  const sum = (action: SyncAction) => ({ items: items[action] ?? 0, sizeBytes: 0 });
  return {
    planId: 'p',
    direction: 'up',
    comparison: 'size-time',
    connectionId: 'c',
    bucket: 'b',
    prefix: '',
    folderName: 'f',
    state: 'done',
    phase: 'comparing',
    localFiles: 0,
    remoteKeys: 0,
    foreign: { count: 0, example: null },
    compared: 0,
    counts: {
      copy: sum('copy'),
      overwrite: sum('overwrite'),
      delete: sum('delete'),
      same: sum('same'),
      skipped: sum('skipped'),
    },
    needDeletion: { ...none, items: needDeletion },
    byTime: 0,
    removal: 'trash',
    error: null,
  };
}

describe('the lists of a sync plan', () => {
  test('count as changes only what the plan would change', () => {
    const plan = status({ copy: 3, overwrite: 2, delete: 40, same: 5 }, 1);
    expect(filtersOf(plan, false)[0]).toEqual({ filter: 'changes', count: 4 });
    expect(filtersOf(plan, true)[0]).toEqual({ filter: 'changes-with-deletions', count: 45 });
    expect(filtersOf(plan, false).at(-1)).toEqual({ filter: 'all', count: 50 });
  });

  test('open on the changes, or on extra target files if nothing else differs', () => {
    expect(shownFilter(null, status({ copy: 1, delete: 2 }), false)).toBe('changes');
    expect(shownFilter(null, status({ delete: 2 }), false)).toBe('delete');
    expect(shownFilter(null, status({ same: 2 }), false)).toBe('changes');
    expect(shownFilter(null, { ...status({ delete: 2 }), state: 'running' }, false)).toBe('changes');
  });

  test('keep the chosen list, and follow the changes when deletions are toggled', () => {
    const plan = status({ copy: 1, delete: 2 });
    expect(shownFilter('delete', plan, true)).toBe('delete');
    expect(shownFilter('changes', plan, true)).toBe('changes-with-deletions');
    expect(shownFilter('changes-with-deletions', plan, false)).toBe('changes');
  });
});
