import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bucketRowId,
  connectionRowId,
  moveByKey,
  movedIds,
  steppedIds,
  treeRows,
  findTreeRow,
  unlistedStarts,
  type BucketsState,
} from '../../../../../renderer/features/connections/model/tree-model.ts';
import { failure } from '../../../../../shared/errors.ts';
import { connectionOf } from '../fixtures.ts';

const connections = [connectionOf('one', { name: 'Alpha' }), connectionOf('two', { name: 'Beta' })];
const known = (...names: readonly string[]): BucketsState => ({
  kind: 'known',
  error: null,
  buckets: names.map((name) => ({ name, createdAt: null, region: null, source: 'listed', startPrefix: '' })),
});
const denied: BucketsState = {
  kind: 'known',
  error: failure('access-denied', 'no').error,
  buckets: [{ name: 'typed', createdAt: null, region: null, source: 'typed', startPrefix: '' }],
};

const notes = (state: BucketsState | undefined) =>
  treeRows(connections.slice(0, 1), new Set(['one']), new Map(state ? [['one', state]] : []))
    .filter((row) => row.kind === 'note')
    .map((row) => row.note.kind);

it('the starts of connections in unlisted buckets are found', () => {
  const state: BucketsState = {
    ...denied,
    buckets: [{ name: 'shared', createdAt: null, region: null, source: 'start', startPrefix: 'team/' }],
  };
  const states = new Map([
    ['one', state],
    ['two', known('a')],
    ['three', { kind: 'loading' } as const],
  ]);
  expect(unlistedStarts(states)).toEqual([{ connectionId: 'one', bucket: 'shared', prefix: 'team/' }]);
});

describe('the rows of the tree', () => {
  it('are only the connections while these are closed', () => {
    const rows = treeRows(connections, new Set(), new Map([['one', known('a')]]));
    expect(rows.map((row) => row.id)).toEqual(['c:one', 'c:two']);
  });

  it('include the buckets of an open connection with their position', () => {
    const rows = treeRows(connections, new Set(['one']), new Map([['one', known('a', 'b')]]));
    expect(rows.map((row) => [row.id, row.position, row.setSize])).toEqual([
      ['c:one', 1, 2],
      ['b:one:a', 1, 2],
      ['b:one:b', 2, 2],
      ['c:two', 2, 2],
    ]);
  });

  it('distinguish loading, failed, denied and empty', () => {
    expect(notes(undefined)).toEqual(['loading']);
    expect(notes({ kind: 'failed', error: failure('network', 'x').error })).toEqual(['failed']);
    expect(notes(denied)).toEqual(['open-by-name']);
    expect(notes(known())).toEqual(['no-buckets']);
    expect(notes(known('a'))).toEqual([]);
  });

  it('keep typed buckets of a connection whose listing failed, with a note', () => {
    const state: BucketsState = { ...denied, error: failure('network', 'x').error };
    const rows = treeRows(connections.slice(0, 1), new Set(['one']), new Map([['one', state]]));
    expect(rows.map((row) => row.kind)).toEqual(['connection', 'bucket', 'note', 'note']);
  });
});

describe('the keyboard navigation of the tree', () => {
  const rows = treeRows(connections, new Set(['one']), new Map([['one', known('a', 'b')]]));

  it('moves up and down and stops at the ends', () => {
    expect(moveByKey(rows, 'c:one', 'ArrowDown')).toEqual({ kind: 'focus', rowId: 'b:one:a' });
    expect(moveByKey(rows, 'c:two', 'ArrowDown')).toBeNull();
    expect(moveByKey(rows, 'c:one', 'ArrowUp')).toBeNull();
    expect(moveByKey(rows, 'b:one:b', 'Home')).toEqual({ kind: 'focus', rowId: 'c:one' });
    expect(moveByKey(rows, 'c:one', 'End')).toEqual({ kind: 'focus', rowId: 'c:two' });
  });

  it('opens and enters with Right, closes and leaves with Left', () => {
    expect(moveByKey(rows, 'c:two', 'ArrowRight')).toEqual({ kind: 'expand', id: 'two' });
    expect(moveByKey(rows, 'c:one', 'ArrowRight')).toEqual({ kind: 'focus', rowId: 'b:one:a' });
    expect(moveByKey(rows, 'b:one:b', 'ArrowLeft')).toEqual({ kind: 'focus', rowId: 'c:one' });
    expect(moveByKey(rows, 'c:one', 'ArrowLeft')).toEqual({ kind: 'collapse', id: 'one' });
    expect(moveByKey(rows, 'c:two', 'ArrowLeft')).toBeNull();
  });

  it('finds rows by typed text, wrapping around, and stays while a longer text matches', () => {
    expect(findTreeRow(rows, 'c:one', 'b')).toBe(bucketRowId('one', 'b'));
    expect(findTreeRow(rows, bucketRowId('one', 'b'), 'b')).toBe(connectionRowId('two'));
    expect(findTreeRow(rows, connectionRowId('two'), 'be')).toBe(connectionRowId('two'));
    expect(findTreeRow(rows, 'c:two', 'a')).toBe(connectionRowId('one'));
    expect(findTreeRow(rows, 'c:two', 'zz')).toBeNull();
  });
});

describe('reordering the tree', () => {
  it('moves a connection before or after another', () => {
    expect(movedIds(['a', 'b', 'c'], 'c', 'a', 'before')).toEqual(['c', 'a', 'b']);
    expect(movedIds(['a', 'b', 'c'], 'a', 'b', 'after')).toEqual(['b', 'a', 'c']);
    expect(steppedIds(['a', 'b'], 'a', -1)).toEqual(['a', 'b']);
    expect(steppedIds(['a', 'b'], 'a', 1)).toEqual(['b', 'a']);
  });

  it('never loses or duplicates an id', () => {
    const ids = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(
        ids,
        fc.nat(),
        fc.nat(),
        fc.constantFrom('before' as const, 'after' as const),
        (all, a, b, side) => {
          const moved = all[a % all.length] ?? '';
          const target = all[b % all.length] ?? '';
          expect(movedIds(all, moved, target, side).toSorted()).toEqual(all.toSorted());
        },
      ),
    );
  });
});
