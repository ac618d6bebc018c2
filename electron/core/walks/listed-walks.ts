import { failure } from '../../../shared/errors.ts';
import { foreignOf, noForeign, withForeign } from '../s3/listing/foreign.ts';
import { objectPages } from '../s3/listing/pages.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import type { KeyWalks } from './chosen-keys.ts';
import type { WalkProgress } from './walk-source.ts';

/** Returns a key source that lists a prefix page by page through the client, for callers without `Walks`. */
export function listedWalks(clientOf: (connectionId: string) => Promise<S3Client>): KeyWalks {
  return {
    async *pages({ connectionId, bucket, prefix }, signal, onProgress) {
      const client = await clientOf(connectionId);
      const pages = objectPages(client, { bucket, prefix }, { signal });
      let progress: WalkProgress = { keys: 0, sizeBytes: 0, requests: 0, foreign: noForeign };
      for await (const page of pages) {
        progress = {
          keys: progress.keys + page.objects.length,
          sizeBytes: page.objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, progress.sizeBytes),
          requests: progress.requests + 1,
          foreign: withForeign(progress.foreign, foreignOf(page.foreign)),
        };
        onProgress?.(progress);
        yield page.objects;
      }
    },
    results() {
      throw failure('not-found', 'There is no such search.', { reason: 'walk-gone' });
    },
  };
}
