// Apart from the models: these bring zod's larger half with them, which the window does without as it opens.

/** Jobs of many unfinished uploads, which are its items: they abort, complete, or finish them from their files. */
export const kindsOfUploads = ['abort-many', 'complete-many', 'resume-many'] as const;

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
  /** One that the service runs by itself (S3 Batch Operations). */
  'batch',
] as const;

export type JobKind = (typeof jobKinds)[number];
export type KindOfUploads = (typeof kindsOfUploads)[number];

/** What people call the work of a job: a rename is a move of one thing to another name in its folder. */
export type JobWork = JobKind | 'rename';

export function workOf(job: { readonly kind: JobKind; readonly isRename?: boolean | undefined }): JobWork {
  return job.isRename === true ? 'rename' : job.kind;
}

/** Whether the items of jobs of this kind are unfinished uploads. */
export function isOfUploads(kind: JobKind): kind is KindOfUploads {
  return (kindsOfUploads as readonly JobKind[]).includes(kind);
}
