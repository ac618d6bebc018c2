import { createHash } from 'node:crypto';
import { AppFailure } from '../../../../shared/errors.ts';
import type { HttpResponse } from '../http/http-response.ts';
import type { Executor } from '../http/executor.ts';
import { repeatable } from '../http/s3-operation.ts';
import { withFallback } from '../http/optional-parts.ts';
import { maxIdlePages, stuck, pagesOf } from '../listing/pages.ts';
import type { Bucket, BucketDocumentRef } from '../model/listing-types.ts';
import type { RequestOptions } from '../model/request-types.ts';
import type { S3Client } from '../model/s3-client.ts';
import { readBuckets } from '../xml/listing-response.ts';
import { renderCreateBucket } from '../xml/render.ts';

export function bucketOperations(executor: Executor) {
  return {
    listBuckets: async (options) => await listBuckets(executor, options),

    getBucketLocation: async ({ bucket }, options) =>
      await executor.execute(
        repeatable({ name: 'GetBucketLocation', method: 'GET', bucket, query: { location: '' } }),
        options,
        async (reply) => readLocation((await reply.xml('LocationConstraint')).text.trim(), executor),
      ),

    async createBucket({ bucket, region, objectLock }, options) {
      const requestedRegion =
        region ?? (executor.quirks.namesRegionOnCreate ? executor.placeOf(undefined).region : null);
      // CreateBucket does not accept us-east-1 as a LocationConstraint, and `auto` is not a region.
      const hasConstraint =
        requestedRegion !== null &&
        requestedRegion !== '' &&
        requestedRegion !== 'us-east-1' &&
        requestedRegion !== 'auto';
      const call = executor.apply(
        repeatable({
          name: 'CreateBucket',
          method: 'PUT',
          bucket,
          body: hasConstraint ? renderCreateBucket(requestedRegion) : null,
          ...(objectLock === true ? { headers: { 'x-amz-bucket-object-lock-enabled': 'true' } } : {}),
          ...(executor.quirks.namesRegionOnCreate && requestedRegion ? { region: requestedRegion } : {}),
        }),
        options,
      );
      await unlessDoneEarlier(call, 'BucketAlreadyOwnedByYou');
    },

    async deleteBucket({ bucket }, options) {
      const call = executor.apply(repeatable({ name: 'DeleteBucket', method: 'DELETE', bucket }), options);
      await unlessDoneEarlier(call, 'NoSuchBucket');
    },

    async headBucket({ bucket }, options) {
      const first = async (tries: RequestOptions | undefined) =>
        await withRegionLookup(
          executor,
          bucket,
          tries,
          async () =>
            await executor.execute(
              repeatable({ name: 'HeadBucket', method: 'HEAD', bucket }),
              tries,
              readRegion,
            ),
        );
      // Some services do not support HEAD for buckets (405). Listing needs the same permission as HeadBucket.
      const second = async (tries: RequestOptions | undefined) =>
        await executor.execute(
          repeatable({ name: 'ListObjects', method: 'GET', bucket, query: { 'max-keys': '1' } }),
          tries,
          readRegion,
        );
      return await withFallback(executor.memory, 'HeadBucket', options, { first, second });
    },
  } satisfies Partial<S3Client>;
}

async function readRegion(reply: HttpResponse): Promise<{ readonly region: string | null }> {
  await reply.bytes();
  return { region: reply.header('x-amz-bucket-region') };
}

/** Ignores an error with this code if an earlier attempt got no response, because that attempt must have succeeded. */
async function unlessDoneEarlier(call: Promise<void>, code: string): Promise<void> {
  try {
    await call;
  } catch (thrown) {
    const isDoneEarlier =
      thrown instanceof AppFailure && thrown.error.outcome === 'unknown' && thrown.error.s3?.code === code;
    if (!isDoneEarlier) throw thrown;
  }
}

async function listBuckets(
  executor: Executor,
  options: RequestOptions | undefined,
): Promise<readonly Bucket[]> {
  const buckets = new Map<string, Bucket>();
  const seen = new Set<string>();
  const pages = pagesOf(
    async (token: string | null) =>
      await executor.execute(
        repeatable({
          name: 'ListBuckets',
          method: 'GET',
          query: token === null ? {} : { 'continuation-token': token },
        }),
        options,
        async (reply) => readBuckets(await reply.xml('ListAllMyBucketsResult')),
      ),
    (page) => page.nextToken,
  );
  for await (const { buckets: found, nextToken } of pages) {
    for (const bucket of found) buckets.set(bucket.name, bucket);
    if (nextToken === null) break;
    if (seen.has(nextToken) || seen.size > maxIdlePages) throw stuck();
    seen.add(nextToken);
  }
  return [...buckets.values()];
}

/** Returns the region of a bucket. On AWS, '' means us-east-1 and EU is an old name; on other services, '' means unknown. */
function readLocation(text: string, executor: Executor): string | null {
  if (text === 'EU' && executor.quirks.namesRegionOnCreate) return 'eu-west-1';
  if (text === '') return executor.quirks.namesRegionOnCreate ? 'us-east-1' : null;
  return text;
}

/**
 * Calls `head`. If it fails because of the region, requests the bucket's region and calls it again. A failed HEAD has no body,
 * and sometimes no header with the region (botocore#1512). The region is remembered.
 */
export async function withRegionLookup<T>(
  executor: Executor,
  bucket: string,
  options: RequestOptions | undefined,
  head: () => Promise<T>,
): Promise<T> {
  const before = executor.placeOf(bucket);
  try {
    return await head();
  } catch (thrown) {
    if (!(thrown instanceof AppFailure)) throw thrown;
    const { status, code } = thrown.error.s3 ?? { status: 0, code: null };
    if (code !== null || ![301, 302, 307, 400].includes(status)) throw thrown;
    const answered = await lookUp(executor, bucket, options);
    if (!answered && executor.placeOf(bucket) === before) throw thrown;
    return await head();
  }
}

/**
 * Requests the bucket's location. Returns true if the service returned its region. Throws errors that a HEAD cannot report, such
 * as expired credentials or a wrong clock.
 */
async function lookUp(
  executor: Executor,
  bucket: string,
  options: RequestOptions | undefined,
): Promise<boolean> {
  try {
    await executor.execute(
      repeatable({ name: 'GetBucketLocation', method: 'GET', bucket, query: { location: '' } }),
      { ...options, maxTries: 1 },
      async (reply) => await reply.bytes(),
    );
    return true;
  } catch (thrown) {
    if (!(thrown instanceof AppFailure)) throw thrown;
    const { code } = thrown.error;
    if (code === 'auth-expired' || code === 'clock-skew' || code === 'cancelled') throw thrown;
    // Even a request that is denied may have shown the region.
    return false;
  }
}

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
export function bucketDocumentOperations(executor: Executor) {
  return {
    getBucketDocument: async (ref, options) =>
      await executor.execute(
        repeatable({
          // Without an id, the response is a list of documents.
          name: ref.continuationToken === undefined ? `Get${ref.operation}` : `List${ref.operation}s`,
          method: 'GET',
          bucket: ref.bucket,
          query: queryOf(ref),
        }),
        options,
        async (reply) => ({
          text: await reply.text(),
          transitionMinimum: reply.header(transitionMinimumHeader),
        }),
      ),

    async putBucketDocument({ text, transitionMinimum = null, ...ref }, options) {
      const body = Buffer.from(text, 'utf8');
      await executor.apply(
        repeatable({
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
        }),
        options,
      );
    },

    async deleteBucketDocument(ref, options) {
      await executor.apply(
        repeatable({
          name: `Delete${ref.operation}`,
          method: 'DELETE',
          bucket: ref.bucket,
          query: queryOf(ref),
        }),
        options,
      );
    },
  } satisfies Partial<S3Client>;
}
