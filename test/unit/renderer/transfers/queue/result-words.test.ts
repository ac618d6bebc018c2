import { beforeAll, describe, expect, it } from 'vitest';
import type { TFunction } from 'i18next';
import { failure } from '../../../../../shared/errors.ts';
import type { Job } from '../../../../../shared/models/jobs.ts';
import { adviceFor, jobSentence } from '../../../../../renderer/features/transfers/queue/job-words.ts';
import { countedIn } from '../../../../../renderer/features/transfers/queue/result-words.ts';
import { remedyFor } from '../../../../../renderer/features/transfers/queue/job-actions.ts';
import { englishWords, russianWords } from '../../words.ts';
import { jobOf, nowMs } from './fixtures.ts';

let t: TFunction;
beforeAll(async () => {
  t = await englishWords();
});

/** The counts of 6 items: done, done without a change because they were up to date, skipped, failed. */
type Counts = readonly [done: number, same: number, skipped: number, failed: number];

const denied = failure('access-denied', 'x', { reason: 'denied' }).error;

function ended(changes: Partial<Job>, [done, same, skipped, failed]: Counts, say = t): string {
  const items = { total: done + skipped + failed, done, same, skipped, failed, asking: 0 };
  const over: Partial<Job> =
    failed > 0
      ? { state: 'needs-attention', reason: 'items-failed', error: denied }
      : { state: 'done', reason: null };
  return jobSentence(jobOf({ ...over, bucket: 'media', items, ...changes }), nowMs, say);
}

const upload = { kind: 'upload', outcome: 'uploaded' } as const;
const download = { kind: 'download', outcome: 'downloaded' } as const;
const copy = { kind: 'copy', outcome: 'copied' } as const;
const move = { kind: 'move', outcome: 'moved' } as const;
const remove = { kind: 'delete', outcome: 'deleted' } as const;
const change = { kind: 'change', outcome: 'changed' } as const;
const restore = { kind: 'copy', outcome: 'restored' } as const;
const undo = { kind: 'move', outcome: 'moved', undoes: { kind: 'move', isRedo: false } } as const;
const redo = { ...move, undoes: { kind: 'move', isRedo: true } } as const;
const rename = { kind: 'move', outcome: 'renamed', isRename: true } as const;
/** Renaming many by a pattern runs as a move. */
const renameMany = move;
const restoreMarkers = { kind: 'delete', outcome: 'restored', isRestore: true } as const;
const abortMany = { kind: 'abort-many', outcome: 'aborted-many' } as const;
const completeMany = { kind: 'complete-many', outcome: 'completed-many' } as const;
const resumeMany = { kind: 'resume-many', outcome: 'resumed-many' } as const;
const sync = { ...upload, sync: { removed: 0, unchanged: 0, skipped: 0 } } as const;

const table: readonly (readonly [Partial<Job>, Counts, string])[] = [
  [upload, [0, 0, 0, 0], 'Nothing uploaded. There were no files'],
  [upload, [1, 0, 0, 0], 'Done. Uploaded 1 file'],
  [upload, [6, 0, 0, 0], 'Done. Uploaded 6 files'],
  [upload, [6, 6, 0, 0], '6 already there, nothing uploaded'],
  [upload, [1, 1, 0, 0], '1 already there, nothing uploaded'],
  [upload, [6, 2, 0, 0], 'Done. Uploaded 4 files, 2 already there'],
  [upload, [3, 1, 3, 0], 'Done. Uploaded 2 files, 1 already there, 3 skipped'],
  [upload, [4, 4, 2, 0], '4 already there, nothing uploaded, 2 skipped'],
  [upload, [0, 0, 1, 0], 'Nothing uploaded. An object with this name already exists'],
  [upload, [0, 0, 0, 1], 'Access denied: this key may not write to media'],
  [upload, [4, 0, 0, 2], '2 of 6 failed. Access denied: this key may not write to media'],
  [download, [0, 0, 0, 0], 'Nothing downloaded. There were no files'],
  [download, [6, 0, 0, 0], 'Done. Downloaded 6 files'],
  [download, [6, 6, 0, 0], '6 already there, nothing downloaded'],
  [download, [6, 1, 0, 0], 'Done. Downloaded 5 files, 1 already there'],
  [download, [0, 0, 6, 0], 'Nothing downloaded. 6 files with these names already exist'],
  [download, [0, 0, 0, 6], '6 of 6 failed. Access denied: this key may not read from media'],
  [copy, [0, 0, 0, 0], 'Nothing copied. There were no objects'],
  [copy, [6, 0, 0, 0], 'Done. Copied and verified 6 objects'],
  [copy, [6, 6, 0, 0], '6 already there, nothing copied'],
  [copy, [6, 5, 0, 0], 'Done. Copied and verified 1 object, 5 already there'],
  [copy, [4, 0, 2, 0], 'Done. Copied and verified 4 objects, 2 skipped'],
  [copy, [0, 0, 0, 1], 'Access denied: this key may not copy objects in media'],
  [move, [0, 0, 0, 0], 'Nothing moved. There were no objects'],
  [move, [6, 0, 0, 0], 'Done. Moved 6 objects'],
  [move, [0, 0, 6, 0], 'Nothing moved. 6 objects with these names already exist'],
  [move, [3, 0, 3, 0], 'Done. Moved 3 objects, 3 skipped'],
  [remove, [0, 0, 0, 0], 'Nothing deleted. There were no objects'],
  [remove, [1, 0, 0, 0], 'Done. Deleted 1 object'],
  [remove, [5, 0, 1, 0], 'Done. Deleted 5 objects, 1 skipped'],
  [remove, [5, 0, 0, 1], '1 of 6 failed. Access denied: this key may not delete from media'],
  [change, [0, 0, 0, 0], 'Nothing changed. There were no objects'],
  [change, [6, 0, 0, 0], 'Done. Changed 6 objects'],
  [change, [1, 1, 0, 0], '1 already has these values, nothing changed'],
  [change, [6, 6, 0, 0], '6 already have these values, nothing changed'],
  [change, [6, 2, 0, 0], 'Done. Changed 4 objects, 2 unchanged'],
  [change, [0, 0, 0, 1], 'Access denied: this key may not change objects in media'],
  [restore, [1, 0, 0, 0], 'Done. Restored 1 object'],
  [restore, [1, 1, 0, 0], '1 already there, nothing restored'],
  [undo, [3, 0, 0, 0], 'Done. Took back 3 items'],
  [undo, [3, 3, 0, 0], '3 were already as before, nothing taken back'],
  [rename, [1, 0, 0, 0], 'Done. Renamed 1 object'],
  [rename, [0, 0, 1, 0], 'Not renamed. An object with this name already exists'],
  [rename, [0, 0, 0, 1], 'Access denied: this key may not rename objects in media'],
  [renameMany, [0, 0, 0, 0], 'Nothing moved. There were no objects'],
  [restoreMarkers, [0, 0, 0, 0], 'Nothing restored. There were no objects'],
  [restoreMarkers, [1, 0, 0, 0], 'Done. Restored 1 object'],
  [restoreMarkers, [5, 0, 1, 0], 'Done. Restored 5 objects, 1 skipped'],
  [restoreMarkers, [0, 0, 6, 0], 'Nothing restored, 6 skipped'],
  [restoreMarkers, [0, 0, 0, 1], 'Access denied: this key may not restore objects in media'],
  [restoreMarkers, [4, 0, 0, 2], '2 of 6 failed. Access denied: this key may not restore objects in media'],
  [abortMany, [0, 0, 0, 0], 'No uploads aborted. There were no uploads'],
  [abortMany, [1, 0, 0, 0], 'Done. Aborted 1 upload, freed 400 bytes'],
  [abortMany, [6, 0, 0, 0], 'Done. Aborted 6 uploads, freed 400 bytes'],
  [abortMany, [4, 0, 2, 0], 'Done. Aborted 4 uploads, freed 400 bytes, 2 skipped'],
  [abortMany, [0, 0, 6, 0], 'No uploads aborted, 6 skipped'],
  [abortMany, [5, 0, 0, 1], '1 of 6 failed. Access denied: this key may not abort uploads in media'],
  [completeMany, [0, 0, 0, 0], 'No uploads completed. There were no uploads'],
  [completeMany, [1, 0, 0, 0], 'Done. Completed 1 upload'],
  [completeMany, [5, 0, 1, 0], 'Done. Completed 5 uploads, 1 skipped'],
  [completeMany, [0, 0, 0, 1], 'Access denied: this key may not write to media'],
  [resumeMany, [0, 0, 0, 0], 'No uploads finished. There were no uploads'],
  [resumeMany, [6, 0, 0, 0], 'Done. Finished 6 uploads, 400 bytes'],
  [resumeMany, [0, 0, 6, 0], 'No uploads finished, 6 skipped'],
  [redo, [2, 0, 0, 0], 'Done. Did 2 items again'],
  [sync, [0, 0, 0, 0], 'Done. Both sides already matched'],
  [sync, [6, 2, 1, 0], 'Done. 4 uploaded, 2 unchanged, 1 skipped'],
];

function failedUpload(done: number): Job {
  const items = { total: done + 1, done, skipped: 0, failed: 1, asking: 0 };
  return jobOf({ kind: 'upload', state: 'needs-attention', reason: 'items-failed', error: denied, items });
}

function cancelled(kind: Job['kind'], done: number, bytesDone = 0): string {
  const items = { total: 9, done, skipped: 0, failed: 0, asking: 0 };
  return jobSentence(jobOf({ kind, state: 'cancelled', bytesDone, items }), nowMs, t);
}

const cancelledTable: readonly (readonly [Partial<Job>, done: number, RegExp])[] = [
  [upload, 0, /^Cancelled\. Nothing uploaded$/u],
  [download, 0, /^Cancelled\. Nothing downloaded$/u],
  [download, 3, /Complete files stay/u],
  [copy, 0, /^Cancelled\. Nothing copied$/u],
  [copy, 3, /Copied objects stay/u],
  [move, 0, /^Cancelled\. Nothing moved$/u],
  [remove, 0, /^Cancelled\. Nothing deleted$/u],
  [remove, 3, /Some objects are deleted/u],
  [change, 0, /^Cancelled\. Nothing changed$/u],
  [change, 3, /Some objects are changed/u],
  [rename, 0, /^Cancelled\. Not renamed$/u],
  [restoreMarkers, 0, /^Cancelled\. Nothing restored$/u],
  [restoreMarkers, 3, /Some objects are restored/u],
  [undo, 0, /^Cancelled\. Nothing taken back$/u],
  [redo, 0, /^Cancelled\. Nothing done again$/u],
  [abortMany, 0, /^Cancelled\. No uploads aborted$/u],
  [abortMany, 3, /Aborted uploads are gone/u],
  [completeMany, 0, /^Cancelled\. No uploads completed$/u],
  [resumeMany, 0, /^Cancelled\. No uploads finished$/u],
];

function asking(kind: Job['kind'], reason: Job['reason'], count: number): string {
  const items = { total: 9, done: 0, skipped: 0, failed: 0, asking: count };
  return jobSentence(jobOf({ kind, state: 'needs-attention', reason, items }), nowMs, t);
}

describe('the result of a job', () => {
  it.each(table)(
    'names the action in the past tense: %o with done, same, skipped, failed %o',
    (job, counts, expected) => {
      expect(ended(job, counts)).toBe(expected);
    },
  );

  it.each([
    ['English', englishWords],
    ['Russian', russianWords],
  ])('fits its row without missing values in %s', async (_, words) => {
    const say = await words();
    for (const [job, counts] of table) {
      const sentence = ended(job, counts, say);
      expect(sentence).not.toMatch(/\{\{|jobs\.|NaN/u);
      expect(sentence).toMatch(/^.{1,100}$/u);
    }
  });

  it('names the first of several causes and says that there are more', () => {
    const items = { total: 5, done: 2, skipped: 0, failed: 3, asking: 0, causes: 2 };
    const error = failure('storage', 'x', { reason: 'file-missing' }).error;
    expect(ended({ kind: 'upload', items, error }, [2, 0, 0, 3])).toBe(
      '3 of 5 failed. First: The file no longer exists',
    );
  });

  it('names both buckets when a copy between them is denied', () => {
    const target = { connectionId: 'c', bucket: 'backup', prefix: '' };
    expect(ended({ ...copy, target }, [0, 0, 0, 1])).toBe(
      'Access denied: the keys may not copy from media to backup',
    );
  });

  it('mentions other items as done only if there are any', () => {
    expect(adviceFor(failedUpload(0), t)).toBe('No item is done. Remove the cause, then try again.');
    expect(adviceFor(failedUpload(2), t)).toMatch(/^2 other items are done\./u);
    expect(remedyFor(failedUpload(0))).toBe('edit-connection');
  });

  it('never mentions a count of zero for a cancelled job', () => {
    expect(cancelled('delete', 0)).toBe('Cancelled. Nothing deleted');
    expect(cancelled('delete', 3)).toContain('Some objects are deleted');
    expect(cancelled('upload', 0)).toBe('Cancelled. Nothing uploaded');
    // Stored parts of an unfinished upload stay on the service.
    expect(cancelled('upload', 0, 5e6)).toContain('Stalled uploads');
  });

  it.each(cancelledTable)(
    'says what a cancelled job has done in the words of its result: %o with %i done',
    (job, done, expected) => {
      const items = { total: 9, done, skipped: 0, failed: 0, asking: 0 };
      const over = { ...job, state: 'cancelled', outcome: null, bytesDone: 0, items } as const;
      expect(jobSentence(jobOf(over), nowMs, t)).toMatch(expected);
    },
  );

  it('counts skipped items apart from those that are done in the advice after a failure', () => {
    const items = { total: 6, done: 0, skipped: 5, failed: 1, asking: 0 };
    const job = jobOf({ kind: 'upload', state: 'needs-attention', reason: 'items-failed', items });
    expect(adviceFor({ ...job, error: denied }, t)).toBe(
      'No item is done. Remove the cause, then try again.',
    );
  });

  it('asks about files or hidden files, never about both', () => {
    expect(asking('upload', 'conflicts', 1)).toBe(
      '1 object with this name already exists. Decide what to do',
    );
    expect(asking('download', 'conflicts', 2)).toBe(
      '2 files with these names already exist. Decide what to do',
    );
    expect(asking('download', 'hidden-files', 2)).toBe(
      '2 hidden files would go into your home folder. Decide what to do',
    );
  });
});

const counted = (kind: Job['kind']) =>
  countedIn(jobOf({ kind, items: { total: 3, done: 1, skipped: 0, failed: 0, asking: 0 } }));

describe('The progress of a job', () => {
  it('counts files only for uploads and downloads, objects for operations on them, and parts for one upload', () => {
    expect((['upload', 'download'] as const).map(counted)).toEqual(['files', 'files']);
    expect((['copy', 'move', 'delete', 'change', 'batch'] as const).map(counted)).toEqual(
      Array.from({ length: 5 }, () => 'objects'),
    );
    expect(counted('abort-many')).toBe('uploads');
    expect(countedIn(jobOf({ kind: 'complete' }))).toBe('parts');
  });
});
