import { createHash } from 'node:crypto';
import type { Executor } from '../http/executor.ts';
import type { BucketDocumentRef } from '../model/listing-types.ts';
import type { S3Client } from '../model/s3-client.ts';

type BucketDocumentOperations = Pick<
  S3Client,
  'getBucketDocument' | 'putBucketDocument' | 'deleteBucketDocument'
>;

const transitionMinimumHeader = 'x-amz-transition-default-minimum-object-size';

function queryOf({ query, id, continuationToken }: BucketDocumentRef): Record<string, string> {
  return {
    [query]: '',
    ...(id === undefined ? {} : { id }),
    // The token '' means the first page and is not sent.
    ...(continuationToken ? { 'continuation-token': continuationToken } : {}),
  };
}

/**
 * Implements the requests for configurations of a bucket. Each is a document with a separate query, such as `?cors` or `?policy`.
 */
export function bucketDocumentOperations(executor: Executor): BucketDocumentOperations {
  return {
    getBucketDocument: async (ref, options) =>
      await executor.execute(
        {
          // Without an id, the response is a list of documents.
          name: ref.continuationToken === undefined ? `Get${ref.operation}` : `List${ref.operation}s`,
          method: 'GET',
          bucket: ref.bucket,
          query: queryOf(ref),
          effect: 'read',
          repeatable: 'always',
        },
        options,
        async (answer) => ({
          text: await answer.text(),
          transitionMinimum: answer.header(transitionMinimumHeader),
        }),
      ),

    async putBucketDocument({ text, transitionMinimum = null, ...ref }, options) {
      const body = Buffer.from(text, 'utf8');
      await executor.execute(
        {
          name: `Put${ref.operation}`,
          method: 'PUT',
          bucket: ref.bucket,
          query: queryOf(ref),
          headers: {
            'content-type': text.trimStart().startsWith('<') ? 'application/xml' : 'application/json',
            // Services require an MD5 for lifecycle, CORS and tags.
            'content-md5': createHash('md5').update(body).digest('base64'),
            ...(transitionMinimum === null ? {} : { [transitionMinimumHeader]: transitionMinimum }),
          },
          body,
          effect: 'write',
          repeatable: 'always',
        },
        options,
        async (answer) => await answer.done(),
      );
    },

    async deleteBucketDocument(ref, options) {
      await executor.execute(
        {
          name: `Delete${ref.operation}`,
          method: 'DELETE',
          bucket: ref.bucket,
          query: queryOf(ref),
          effect: 'write',
          repeatable: 'always',
        },
        options,
        async (answer) => await answer.done(),
      );
    },
  };
}
