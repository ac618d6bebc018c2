// Separate from the models, which import most of zod. The window should not load that at its start.

/** Jobs whose items are unfinished uploads, which they abort, complete, or finish from local files. */
const kindsOfUploads = ['abort-many', 'complete-many', 'resume-many'] as const;

/** Jobs of many items: files, objects or unfinished uploads. */
export const transferKinds = [
  'upload',
  'download',
  'copy',
  'move',
  'delete',
  'change',
  ...kindsOfUploads,
] as const;

export const jobKinds = [
  'complete',
  'resume',
  'abort',
  ...transferKinds,
  /** A job that the service runs (S3 Batch Operations). */
  'batch',
] as const;

/** The kinds of jobs that can be undone, each by another job. */
export const undoableKinds = ['copy', 'move', 'delete', 'change'] as const;

export type JobKind = (typeof jobKinds)[number];
export type KindOfUploads = (typeof kindsOfUploads)[number];

/**
 * The kind of a job as the user sees it. A move of one item to another name in the same folder is a rename, and the deletion of
 * delete markers is a restore.
 */
export type JobWork = JobKind | 'rename' | 'restore';

export function workOf(job: {
  readonly kind: JobKind;
  readonly isRename?: boolean | undefined;
  readonly isRestore?: boolean | undefined;
}): JobWork {
  if (job.isRestore === true) return 'restore';
  return job.isRename === true ? 'rename' : job.kind;
}

/** Returns true if the items of this kind of job are stalled uploads. */
export function isOfUploads(kind: JobKind): kind is KindOfUploads {
  return (kindsOfUploads as readonly JobKind[]).includes(kind);
}

/** The outcome of a finished job of many items, by kind. Renames, restores and deleted buckets have other outcomes. */
export const usualOutcomes = {
  upload: 'uploaded',
  download: 'downloaded',
  copy: 'copied',
  move: 'moved',
  delete: 'deleted',
  change: 'changed',
  'abort-many': 'aborted-many',
  'complete-many': 'completed-many',
  'resume-many': 'resumed-many',
} as const satisfies Readonly<Record<(typeof transferKinds)[number], string>>;
