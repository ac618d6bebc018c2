import type { StoredParts } from '../../../../shared/models/transfers.ts';
import type { UploadRef } from '../../../../shared/models/stalled.ts';
import { begunBytes } from './piece-bits.ts';
import type { ItemStore } from './item-store.ts';

export interface UnfinishedUploads extends StoredParts {
  /** The uploads without a Complete request. Only their parts may be deleted. */
  readonly refs: readonly UploadRef[];
}

const pageItems = 500;

/**
 * Returns the multipart uploads that a job started but did not finish, except those whose Complete request may have succeeded.
 */
export function unfinishedUploads(items: ItemStore, jobId: string): UnfinishedUploads {
  const refs: UploadRef[] = [];
  let sizeBytes = 0;
  let afterSeq = -1;
  for (;;) {
    const page = items.inProgress(jobId, afterSeq, pageItems);
    for (const item of page) {
      const upload = item.work === 'upload' || item.work === 'copy' ? item.upload : null;
      if (upload === null || upload.uploadId === '' || upload.completion !== null) continue;
      const { connectionId, bucket, key, uploadId } = upload;
      refs.push({ connectionId, bucket, key, uploadId });
      sizeBytes += begunBytes(item) ?? 0;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < pageItems) return { uploads: refs.length, sizeBytes, refs };
    afterSeq = last.seq;
  }
}
