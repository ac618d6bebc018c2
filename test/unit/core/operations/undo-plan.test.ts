import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  undoOf,
  type UndoableKind,
  type UndoStep,
} from '../../../../electron/core/operations/objects/undo-plan.ts';
import {
  newCopyItem,
  newDeletionItem,
  type Item,
} from '../../../../electron/core/transfers/items/transfer-item.ts';
import { undoableKinds } from '../../../../shared/models/job-kinds.ts';

const seen = fc.record({
  sizeBytes: fc.nat(),
  etag: fc.constantFrom('"a"', '"b"'),
  lastModified: fc.constant('2026-11-01T00:00:00.000Z'),
  versionId: fc.constantFrom(null, 'null', 'v1'),
});
const journal = fc.oneof(
  fc.constant(null),
  fc.record({ kind: fc.constant('copy' as const), targetWasFree: fc.boolean(), source: seen, target: seen }),
  fc.record({ kind: fc.constant('marker' as const), versionId: fc.constantFrom('m1', 'm2') }),
  fc.record({ kind: fc.constant('back' as const), seen }),
  fc.record({
    kind: fc.constant('change' as const),
    back: fc.constant({ contentType: 'text/plain' }),
    after: fc.oneof(fc.constant(null), fc.record({ seen, tags: fc.constant(null) })),
  }),
);
const copy = fc.oneof(
  fc.constant(null),
  fc.record({
    stage: fc.constantFrom('copying', 'copied', 'deleting'),
    targetWasFree: fc.boolean(),
    source: seen,
    target: fc.oneof(fc.constant(null), seen),
    parts: fc.constant(null),
    tags: fc.constant(null),
  }),
);
/** The source of a copy that this deletion has undone. */
const original = fc.record({ key: fc.constant('original'), versionId: fc.constantFrom(null, 'v9'), seen });
const undo = fc.record({
  expects: fc.oneof(fc.constant(null), seen),
  expectsTags: fc.constant(null),
  original: fc.oneof(fc.constant(null), original),
  patch: fc.constant(null),
  keepsSource: fc.constant(false),
});
const known = fc.record({
  state: fc.constantFrom('todo', 'asking', 'held', 'done', 'skipped', 'failed'),
  versionId: fc.constantFrom(null, 'v0'),
  copy,
  journal,
  undo: fc.oneof(fc.constant(null), undo),
});

function itemOf(kind: UndoableKind): fc.Arbitrary<Item> {
  const base = { seq: 0, key: 'source', kind: 'file', sizeBytes: 1 } as const;
  return known.map(({ copy: copied, ...rest }) =>
    kind === 'delete'
      ? newDeletionItem({ ...base, ...rest })
      : newCopyItem({ ...base, ...rest, targetKey: 'target', copy: copied }),
  );
}

/** Returns the fault of a step, or null. An undo may delete only what the item itself created. */
function faultOf(kind: UndoableKind, done: Item, step: UndoStep): string | null {
  if (step.kind !== 'step') return null;
  if (done.state !== 'done') return 'an item that is not done is undone';
  if (done.work !== 'copy' && done.work !== 'deletion') return 'it was no operation';
  const { key, targetKey, versionId, undo } = step;
  switch (kind) {
    case 'move':
      // The undo takes only the object that the move wrote, and returns it to its source.
      if (key !== 'target' || targetKey !== 'source') return 'it goes elsewhere';
      if (done.work !== 'copy' || undo.expects === null || undo.expects !== done.copy?.target)
        return 'it takes what it did not leave';
      // A move that replaced an object: only the move's own version is deleted.
      if (versionId !== null && versionId !== done.copy.target?.versionId) return 'the wrong version goes';
      if (done.copy.targetWasFree)
        return undo.keepsSource || versionId !== null ? 'it leaves too much' : null;
      return undo.keepsSource === (versionId === null) ? null : 'it deletes what it did not make';
    case 'copy': {
      if (done.journal?.kind !== 'copy' || key !== 'target') return 'it was no copy';
      if (undo.expects !== done.journal.target) return 'it takes what it did not leave';
      if (undo.original?.seen !== done.journal.source) return 'its original may be gone';
      // Only deleting the copy's version restores the former object.
      return done.journal.targetWasFree === (versionId === null) ? null : 'the wrong version goes';
    }
    case 'delete':
      return faultOfDeletion(done, step);
    case 'change':
      if (done.journal?.kind !== 'change') return 'it changed nothing';
      return undo.expects === null || undo.patch !== done.journal.back ? 'it has no condition' : null;
    default:
      return kind satisfies never;
  }
}

/**
 * Returns the problem with undoing a deletion, or null. Valid steps remove the marker, delete a restored object again, or copy a
 * removed object once more.
 */
function faultOfDeletion(done: Item, step: Extract<UndoStep, { kind: 'step' }>): string | null {
  if (done.work !== 'deletion') return 'it was no deletion';
  const { journal: left, versionId: gone } = done;
  const { key, targetKey, versionId, undo: condition } = step;
  const copied = done.undo?.original ?? null;
  if (copied !== null) {
    if (gone !== null) return 'it would replace what was there before';
    if (key !== copied.key || targetKey !== done.key) return 'it copies something else';
    if (versionId !== copied.versionId) return 'it copies another version';
    return versionId === null && condition.expects !== copied.seen
      ? 'it copies what it was not made of'
      : null;
  }
  if (key !== done.key) return 'it is about another object';
  if (left?.kind === 'marker')
    return gone === null && versionId === left.versionId ? null : 'another version goes';
  if (left?.kind !== 'back') return 'it left nothing';
  if (versionId !== null) return 'a version goes for good';
  if (condition.expects !== left.seen) return 'it deletes what did not come back';
  return left.seen.versionId === 'v1' ? null : 'nothing would be left of it';
}

test('every undo step has a condition and deletes only what the item itself created', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...undoableKinds).chain((kind) => fc.tuple(fc.constant(kind), itemOf(kind))),
      ([kind, done]) => {
        expect(faultOf(kind, done, undoOf(kind, done))).toBeNull();
      },
    ),
    { numRuns: 500 },
  );
});
