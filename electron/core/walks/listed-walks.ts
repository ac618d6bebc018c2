import { failure } from '../../../shared/errors.ts';
import { objectPages } from '../s3/listing/pages.ts';
import type { S3Client } from '../s3/types.ts';
import type { KeyWalks } from './chosen-keys.ts';

/** Keys below a prefix by plain listing, page after page: where there are no walks. */
export function listedWalks(clientOf: (connectionId: string) => Promise<S3Client>): KeyWalks {
  return {
    async *pages({ connectionId, bucket, prefix }, signal) {
      const client = await clientOf(connectionId);
      const pages = objectPages(client, { bucket, prefix }, { signal });
      for await (const page of pages) yield page.objects;
    },
    results() {
      throw failure('not-found', 'There is no such search.', { reason: 'walk-gone' });
    },
  };
}
