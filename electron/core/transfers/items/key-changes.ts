import type { KeyChange } from '../../walks/tables/changed-rows.ts';
import type { WalkPlace } from '../../walks/walk-source.ts';
import type { TransferJob } from './transfer-job.ts';
import type { Item } from './transfer-item.ts';

/** Changes of one bucket. */
export interface BucketChanges {
  readonly place: Pick<WalkPlace, 'connectionId' | 'bucket'>;
  readonly changes: readonly KeyChange[];
}

/** Returns the changes that the finished items among these made to the keys of buckets. */
export function keyChangesOf(job: TransferJob, items: readonly Item[]): readonly BucketChanges[] {
  const sourcePlace = { connectionId: job.connectionId, bucket: job.bucket };
  const { connectionId, bucket } = job.operation?.to ?? sourcePlace;
  const targetPlace = { connectionId, bucket };
  const isSame = connectionId === sourcePlace.connectionId && bucket === sourcePlace.bucket;
  const source: KeyChange[] = [];
  const target: KeyChange[] = isSame ? source : [];
  const stalled: BucketChanges[] = [];
  for (const item of items) {
    if (item.state !== 'done') continue;
    if (item.work === 'deletion') source.push(...deletionOf(job, item));
    else if (item.work === 'upload')
      source.push({ kind: item.sync?.action === 'remove' ? 'removed' : 'written', key: item.key });
    else if (item.work === 'stalled' && job.kind !== 'abort-many')
      stalled.push({
        place: { ...sourcePlace, bucket: item.bucket },
        changes: [{ kind: 'written', key: item.key }],
      });
    else if (item.work === 'copy') {
      const { key, targetKey, versionId, undo } = item;
      // If only a version was moved, or the source was kept, the key still has an object.
      const isMoved = job.kind === 'move' && versionId === null && undo?.keepsSource !== true;
      if (isMoved && isSame) source.push({ kind: 'moved', key, newKey: targetKey });
      else {
        if (isMoved) source.push({ kind: 'removed', key });
        target.push({ kind: isMoved && undo !== null ? 'back' : 'written', key: targetKey });
      }
    }
  }
  return [
    { place: sourcePlace, changes: source },
    ...(isSame ? [] : [{ place: targetPlace, changes: target }]),
    ...stalled,
  ].filter(({ changes }) => changes.length > 0);
}

/** Returns the change that a deletion made, or none if other versions of the key may have become current. */
function deletionOf(
  { operation }: TransferJob,
  { key, versionId, journal }: Extract<Item, { work: 'deletion' }>,
): readonly KeyChange[] {
  if (journal?.kind === 'back' || operation?.restores === true) return [{ kind: 'back', key }];
  if (versionId === null) return [{ kind: 'removed', key }];
  // Keys of which all versions are deleted are reported at the end of the job.
  return operation?.versions === 'all-versions' ? [] : [{ kind: 'written', key }];
}
