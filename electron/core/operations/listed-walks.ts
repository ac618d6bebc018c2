import { failure } from '../../../shared/errors.ts';
import type { S3Client } from '../s3/types.ts';
import type { KeyWalks } from './key-source.ts';

/** Keys below a prefix by plain listing, page after page: where there are no walks. */
export function listedWalks(clientOf: (connectionId: string) => Promise<S3Client>): KeyWalks {
  return {
    async *pages({ connectionId, bucket, prefix }, signal) {
      const client = await clientOf(connectionId);
      let pageToken: string | null = null;
      do {
        const page: Awaited<ReturnType<S3Client['listObjects']>> = await client.listObjects(
          { bucket, prefix, ...(pageToken === null ? {} : { pageToken }) },
          { signal },
        );
        yield page.objects;
        pageToken = page.nextPageToken;
      } while (pageToken !== null);
    },
    results() {
      throw failure('not-found', 'There is no such search.', { reason: 'walk-gone' });
    },
  };
}
