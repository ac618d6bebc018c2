import { createHash } from 'node:crypto';
import { failure, toAppError, type AppFailure } from '../../../../shared/errors.ts';
import type { Answer } from '../answer.ts';
import { checkEncrypted, customerKeyHeaders, keyNeeded, saysEncrypted } from '../customer-keys.ts';
import { protocolFailure } from '../errors.ts';
import type { Executor } from '../executor.ts';
import { slowTimeouts } from '../timeouts.ts';
import type {
  ByteRange,
  DeletedKey,
  GetObjectOutput,
  ObjectHead,
  ObjectRef,
  RequestOptions,
  S3Client,
} from '../types.ts';
import { visibleStart } from '../visible-text.ts';
import { parseTime, textOrNull, type XmlElement } from '../xml/parse.ts';
import { fitsXml, renderDelete } from '../xml/render.ts';
import { attributeHeaders, copySource, metadataOf, versionQuery } from './attributes.ts';
import { withRegionLookup } from './buckets.ts';

type ObjectOperations = Pick<
  S3Client,
  'headObject' | 'getObject' | 'putObject' | 'copyObject' | 'deleteObject' | 'deleteObjects'
>;

export function objectOperations(executor: Executor): ObjectOperations {
  return {
    async headObject(ref, options) {
      const head = async (): Promise<ObjectHead> =>
        await executor.keys.send(
          subjectOf(ref),
          async (key) =>
            await executor.execute(
              {
                name: 'HeadObject',
                method: 'HEAD',
                bucket: ref.bucket,
                key: ref.key,
                query: versionQuery(ref),
                headers: { ...executor.quirks.objectReadHeaders, ...customerKeyHeaders(key) },
                effect: 'read',
                repeatable: 'always',
              },
              options,
              async (answer) => {
                await answer.bytes();
                return headOf(answer, lengthOf(answer));
              },
            ),
        );
      return await withRegionLookup(executor, ref.bucket, options, async () => {
        try {
          return await head();
        } catch (thrown) {
          throw await reasonOf(executor, ref, thrown, options);
        }
      });
    },

    async getObject(input, options) {
      const { range } = input;
      if (range && (range.firstByte < 0 || range.lastByte < range.firstByte)) {
        throw failure('invalid-argument', 'The range of bytes is empty.', { reason: 'invalid-range' });
      }
      const signal = options?.signal;
      return await executor.keys.send(
        subjectOf(input),
        async (key) =>
          await executor.execute(
            {
              name: 'GetObject',
              method: 'GET',
              bucket: input.bucket,
              key: input.key,
              query: versionQuery(input),
              headers: {
                ...executor.quirks.objectReadHeaders,
                ...customerKeyHeaders(key),
                ...(range ? { range: `bytes=${range.firstByte}-${range.lastByte}` } : {}),
                ...(input.ifMatch === undefined ? {} : { 'if-match': input.ifMatch }),
              },
              effect: 'read',
              repeatable: 'always',
            },
            options,
            (answer) => Promise.resolve(openObject(answer, range ?? null, () => signal?.aborted ?? false)),
          ),
      );
    },

    async putObject(input, options) {
      const key = input.customerKeyMd5 === undefined ? null : await executor.keys.named(input.customerKeyMd5);
      const attributes = { ...attributeHeaders(input), ...customerKeyHeaders(key) };
      const put = await executor.execute(
        {
          name: 'PutObject',
          method: 'PUT',
          bucket: input.bucket,
          key: input.key,
          headers: {
            ...attributes,
            ...(input.contentMd5 === undefined ? {} : { 'content-md5': input.contentMd5 }),
            ...(input.ifMatch === undefined ? {} : { 'if-match': input.ifMatch }),
            ...(input.ifNoneMatch === undefined ? {} : { 'if-none-match': input.ifNoneMatch }),
          },
          body: input.body,
          effect: 'write',
          repeatable: 'always',
        },
        options,
        async (answer) => {
          await answer.done();
          checkEncrypted(attributes, answer.headers);
          return { etag: answer.header('etag'), versionId: answer.header('x-amz-version-id') };
        },
      );
      if (key !== null) executor.keys.remember(subjectOf(input), key);
      return put;
    },

    async copyObject(input, options) {
      // A copy of what a customer key has encrypted is encrypted with the same one.
      return await executor.keys.send(
        subjectOf(input.source),
        async (key) =>
          await executor.execute(
            {
              name: 'CopyObject',
              method: 'PUT',
              bucket: input.bucket,
              key: input.key,
              headers: {
                ...attributeHeaders(input.attributes ?? {}),
                'x-amz-copy-source': copySource(input.source),
                ...customerKeyHeaders(key, 'copy-source'),
                ...customerKeyHeaders(key),
                ...(input.metadataDirective ? { 'x-amz-metadata-directive': input.metadataDirective } : {}),
                ...(input.sourceIfMatch ? { 'x-amz-copy-source-if-match': input.sourceIfMatch } : {}),
                ...(input.ifNoneMatch === undefined ? {} : { 'if-none-match': input.ifNoneMatch }),
                ...(input.ifMatch === undefined ? {} : { 'if-match': input.ifMatch }),
              },
              effect: 'write',
              repeatable: 'always',
              timeouts: slowTimeouts,
            },
            options,
            async (answer) => {
              const root = await answer.xml('CopyObjectResult');
              return {
                etag: textOrNull(root.child('ETag')),
                lastModified: parseTime(root.child('LastModified')),
                versionId: answer.header('x-amz-version-id'),
              };
            },
          ),
      );
    },

    async deleteObject(ref, options) {
      return await executor.execute(
        {
          name: 'DeleteObject',
          method: 'DELETE',
          bucket: ref.bucket,
          key: ref.key,
          query: versionQuery(ref),
          headers: ref.ifMatch === undefined ? {} : { 'if-match': ref.ifMatch },
          effect: 'write',
          repeatable: 'always',
        },
        options,
        async (answer) => {
          await answer.done();
          return { versionId: answer.header('x-amz-version-id') };
        },
      );
    },

    async deleteObjects({ bucket, keys }, options) {
      if (keys.length === 0) return [];
      if (keys.length > 1000) {
        throw failure('invalid-argument', 'At most 1000 objects can be deleted by one request.');
      }
      const unfit = keys.find(({ key }) => key === '' || !fitsXml(key));
      if (unfit !== undefined) {
        throw failure(
          'invalid-argument',
          'A key holds characters that XML cannot carry; such objects are deleted one by one.',
          { reason: 'not-xml' },
        );
      }
      const body = renderDelete(keys);
      return await executor.execute(
        {
          name: 'DeleteObjects',
          method: 'POST',
          bucket,
          query: { delete: '' },
          // AWS insists on a digest here; MD5 is the one that every service knows.
          headers: {
            'content-type': 'application/xml',
            'content-md5': createHash('md5').update(body).digest('base64'),
          },
          body,
          effect: 'write',
          repeatable: 'always',
          timeouts: slowTimeouts,
        },
        options,
        async (answer) => readDeleted(await answer.xml('DeleteResult'), keys),
      );
    },
  };
}

function subjectOf({ bucket, key }: ObjectRef): string {
  return `${bucket}/${key}`;
}

/** A HEAD is refused without a word. Where it may be for want of a customer key, one byte is asked for, which has words. */
async function reasonOf(
  executor: Executor,
  ref: ObjectRef,
  thrown: unknown,
  options: RequestOptions | undefined,
): Promise<unknown> {
  const { s3 } = toAppError(thrown);
  if (s3?.status !== 400 || s3.code !== null) return thrown;
  try {
    await executor.execute(
      {
        name: 'GetObject',
        method: 'GET',
        bucket: ref.bucket,
        key: ref.key,
        query: versionQuery(ref),
        headers: { range: 'bytes=0-0' },
        effect: 'read',
        repeatable: 'always',
      },
      options,
      async (answer) => await answer.done(),
    );
    return thrown;
  } catch (said) {
    const error = toAppError(said);
    return saysEncrypted(error) ? keyNeeded(error) : thrown;
  }
}

function idOf(key: string, versionId: string | null | undefined): string {
  return JSON.stringify([key, versionId ?? null]);
}

/** One result for each key asked for; a key that the answer does not mention is not taken for deleted. */
function readDeleted(
  root: XmlElement,
  keys: readonly { readonly key: string; readonly versionId?: string }[],
): readonly DeletedKey[] {
  const results = new Map<string, DeletedKey>();
  for (const entry of root.all('Deleted')) {
    const key = entry.child('Key') ?? '';
    const versionId = textOrNull(entry.child('VersionId'));
    const result = { key, versionId, error: null };
    results.set(idOf(key, versionId), result);
    if (!results.has(idOf(key, null))) results.set(idOf(key, null), result);
  }
  for (const entry of root.all('Error')) {
    const key = entry.child('Key') ?? '';
    const versionId = textOrNull(entry.child('VersionId'));
    const error = { code: entry.child('Code') ?? '', message: entry.child('Message') ?? '' };
    results.set(idOf(key, versionId), { key, versionId, error });
  }
  return keys.map(({ key, versionId }) => {
    const result = results.get(idOf(key, versionId)) ?? results.get(idOf(key, null));
    if (result) return result;
    const error = { code: 'NoResult', message: 'The service did not say what became of this object.' };
    return { key, versionId: versionId ?? null, error };
  });
}

function headOf(answer: Answer, sizeBytes: number): ObjectHead {
  const etag = answer.header('etag');
  const lastModified = parseTime(answer.header('last-modified'));
  // Every object has both (API_HeadObject). The page of a proxy or of a sign-in portal, with status 200, has neither.
  if (etag === null && lastModified === null)
    throw protocolFailure(
      'unexpected-answer',
      `Something came that is no object (${visibleStart(answer.header('content-type') ?? 'of no type')}). A proxy or a sign-in page may be in the way.`,
      { retry: 'backoff' },
    );
  return {
    sizeBytes,
    etag,
    lastModified,
    contentType: answer.header('content-type'),
    storageClass: answer.header('x-amz-storage-class'),
    versionId: answer.header('x-amz-version-id'),
    metadata: metadataOf(answer.headers),
    headers: answer.headers,
  };
}

function lengthOf(answer: Answer): number {
  const text = answer.header('content-length') ?? '';
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw protocolFailure('unexpected-answer', 'The service does not say how long the object is.', {
    retry: 'after-fix',
  });
}

/** A whole object, or exactly the range asked for: never a part of one taken for another (aws-c-s3#226). */
function openObject(answer: Answer, range: ByteRange | null, isAborted: () => boolean): GetObjectOutput {
  if (range === null) {
    if (answer.status !== 200) throw wrongRange(`${answer.status} came for the whole object`);
    const sizeBytes = lengthOf(answer);
    const head = { ...headOf(answer, sizeBytes), contentRange: null };
    return Object.assign(answer.content(sizeBytes, isAborted), head);
  }
  const contentRange = answer.header('content-range');
  const match = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(contentRange ?? '');
  if (answer.status !== 206 || !match) throw wrongRange(`${answer.status} came without the range`);
  const [firstByte, lastByte] = [Number(match[1]), Number(match[2])];
  const totalBytes = match[3] === '*' ? null : Number(match[3]);
  const wantedLast = totalBytes === null ? range.lastByte : Math.min(range.lastByte, totalBytes - 1);
  if (firstByte !== range.firstByte || lastByte !== wantedLast) {
    throw wrongRange(`bytes ${firstByte}-${lastByte} came for ${range.firstByte}-${range.lastByte}`);
  }
  const expectedBytes = lastByte - firstByte + 1;
  const given = answer.header('content-length');
  if (given !== null && Number(given) !== expectedBytes)
    throw wrongRange(`${given} bytes for ${contentRange}`);
  const head = { ...headOf(answer, totalBytes ?? expectedBytes), contentRange };
  return Object.assign(answer.content(expectedBytes, isAborted), head);
}

function wrongRange(why: string): AppFailure {
  return protocolFailure('range-ignored', `The service did not answer with the bytes asked for: ${why}.`, {
    retry: 'after-fix',
  });
}
