import { createHash } from 'node:crypto';
import type { Executor } from '../http/executor.ts';
import type { S3Client } from '../model/s3-client.ts';

type BucketDocumentOperations = Pick<
  S3Client,
  'getBucketDocument' | 'putBucketDocument' | 'deleteBucketDocument'
>;

/** The configurations of a bucket: each is one document behind a query of its own (`?cors`, `?policy`). */
export function bucketDocumentOperations(executor: Executor): BucketDocumentOperations {
  return {
    getBucketDocument: async ({ bucket, query, operation }, options) =>
      await executor.execute(
        {
          name: `Get${operation}`,
          method: 'GET',
          bucket,
          query: { [query]: '' },
          effect: 'read',
          repeatable: 'always',
        },
        options,
        async (answer) => await answer.text(),
      ),

    async putBucketDocument({ bucket, query, operation, text }, options) {
      const body = Buffer.from(text, 'utf8');
      await executor.execute(
        {
          name: `Put${operation}`,
          method: 'PUT',
          bucket,
          query: { [query]: '' },
          headers: {
            'content-type': text.trimStart().startsWith('<') ? 'application/xml' : 'application/json',
            // Lifecycle, CORS and tags are refused without it.
            'content-md5': createHash('md5').update(body).digest('base64'),
          },
          body,
          effect: 'write',
          repeatable: 'always',
        },
        options,
        async (answer) => await answer.done(),
      );
    },

    async deleteBucketDocument({ bucket, query, operation }, options) {
      await executor.execute(
        {
          name: `Delete${operation}`,
          method: 'DELETE',
          bucket,
          query: { [query]: '' },
          effect: 'write',
          repeatable: 'always',
        },
        options,
        async (answer) => await answer.done(),
      );
    },
  };
}
