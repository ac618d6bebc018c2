import { expect, test } from 'vitest';
import { keyChangesOf } from '../../../../../electron/core/transfers/items/key-changes.ts';
import type { OperationRecord } from '../../../../../electron/core/transfers/items/operation-record.ts';
import {
  newCopyItem,
  newDeletionItem,
  newStalledItem,
  newUploadItem,
  type Item,
} from '../../../../../electron/core/transfers/items/transfer-item.ts';
import {
  operationTransfer,
  uploadTransfer,
  type TransferJob,
} from '../../../../../electron/core/transfers/items/transfer-job.ts';
import { defaultUploadOptions } from '../../../../../shared/models/transfers.ts';

const seed = { id: 'j', nowMs: 0, connectionId: 'c', bucket: 'b', prefix: '', name: 'n' };
const fields: OperationRecord = { items: [], to: null, versions: 'markers', patch: null };
const known = { seq: 0, key: 'a', kind: 'file', sizeBytes: 1 } as const;
const done = { ...known, state: 'done' } as const;
const deletion = operationTransfer('delete', seed, fields, 'ask');
const upload = uploadTransfer(seed, [], defaultUploadOptions);

/** Returns the changes without their bucket, which must be that of the job. */
function changesHere(job: TransferJob, item: Item) {
  return keyChangesOf(job, [item]).flatMap(({ place, changes }) => {
    expect(place).toEqual({ connectionId: 'c', bucket: 'b' });
    return changes;
  });
}

test('a failed or skipped item has changed no key', () => {
  for (const state of ['todo', 'held', 'failed', 'skipped', 'asking'] as const)
    expect(keyChangesOf(deletion, [newDeletionItem({ ...known, state })])).toEqual([]);
});

test('a deletion of one version leaves a key that may have another object', () => {
  const item = newDeletionItem({ ...done, versionId: 'v' });
  expect(changesHere(deletion, item)).toEqual([{ kind: 'written', key: 'a' }]);
});

test('a version among all versions of a key is reported at the end of the job', () => {
  const all = operationTransfer('delete', seed, { ...fields, versions: 'all-versions' }, 'ask');
  expect(keyChangesOf(all, [newDeletionItem({ ...done, versionId: 'v' })])).toEqual([]);
});

test('a removed delete marker brings the object back', () => {
  const restore = operationTransfer('delete', seed, { ...fields, restores: true }, 'ask');
  const item = newDeletionItem({ ...done, versionId: 'marker' });
  expect(changesHere(restore, item)).toEqual([{ kind: 'back', key: 'a' }]);
});

test('a sync writes objects, and removes those that its plan deletes', () => {
  const file = newUploadItem({ ...done, path: '/a' });
  const plan = { action: 'remove', target: null, keep: null, isBlocked: false } as const;
  expect(changesHere(upload, file)).toEqual([{ kind: 'written', key: 'a' }]);
  expect(changesHere(upload, { ...file, sync: plan })).toEqual([{ kind: 'removed', key: 'a' }]);
});

test('a move to another bucket changes both buckets, and a copy only its target', () => {
  const to = { connectionId: 'c', bucket: 'other', prefix: '' };
  const item = newCopyItem({ ...done, targetKey: 'x' });
  const other = { place: { connectionId: 'c', bucket: 'other' }, changes: [{ kind: 'written', key: 'x' }] };
  expect(keyChangesOf(operationTransfer('move', seed, { ...fields, to }, 'ask'), [item])).toEqual([
    { place: { connectionId: 'c', bucket: 'b' }, changes: [{ kind: 'removed', key: 'a' }] },
    other,
  ]);
  expect(keyChangesOf(operationTransfer('copy', seed, { ...fields, to }, 'ask'), [item])).toEqual([other]);
});

test('an undone move whose source was kept has only written its target', () => {
  const plain = { expects: null, expectsTags: null, original: null, patch: null };
  const move = operationTransfer('move', seed, fields, 'ask');
  const item = newCopyItem({ ...done, targetKey: 'x', undo: { ...plain, keepsSource: true } });
  expect(changesHere(move, item)).toEqual([{ kind: 'written', key: 'x' }]);
});

const ofMany = (kind: TransferJob['kind']): TransferJob => ({ ...upload, kind, bucket: '' });

test('completed uploads have written their objects in their own buckets, and aborted ones nothing', () => {
  const item = newStalledItem({ seq: 0, bucket: 'theirs', key: 'a', uploadId: 'u', state: 'done' });
  expect(keyChangesOf(ofMany('complete-many'), [item])).toEqual([
    { place: { connectionId: 'c', bucket: 'theirs' }, changes: [{ kind: 'written', key: 'a' }] },
  ]);
  expect(keyChangesOf(ofMany('abort-many'), [item])).toEqual([]);
});
