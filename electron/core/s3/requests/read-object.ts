import { toAppError } from '../../../../shared/errors.ts';
import { conditionRefusalOf } from '../conditions/conditional.ts';
import { customerKeyHeaders } from '../http/customer-key-headers.ts';
import { protocolFailure } from '../model/s3-errors.ts';
import { strongEtag } from '../model/etag.ts';
import type { Executor } from '../http/executor.ts';
import { policyFor } from '../http/retry.ts';
import { steadyContent } from './steady-content.ts';
import type {
  ByteRange,
  GetObjectInput,
  GetObjectOptions,
  GetObjectOutput,
  ObjectHead,
  ObjectRef,
} from '../model/object-types.ts';
import type { RequestOptions } from '../model/request-types.ts';
import { versionQuery } from './attribute-headers.ts';
import { openObject, type AnsweredObject, type OpenedObject } from './object-content.ts';

/** An object of no said length is read to its end to learn it, up to here. */
const countedBytes = 16 * 1024 * 1024;

type Wanted = ObjectRef & Pick<GetObjectInput, 'range' | 'ifMatch' | 'checksums'>;

/** GetObject; its content goes on by itself where the connection breaks. */
export async function readObject(
  executor: Executor,
  input: GetObjectInput,
  options: GetObjectOptions | undefined,
): Promise<GetObjectOutput> {
  const { deps } = executor;
  const { bucket, key, versionId } = input;
  const ref = { bucket, key, ...(versionId === undefined ? {} : { versionId }) };
  const range = input.range ?? null;
  const first = await openOnce(executor, input, options);
  const content = steadyContent(
    first,
    { range, sizeBytes: input.sizeBytes },
    {
      reopen: async (missing, etag) => await reopen(executor, ref, missing, input.ifMatch ?? etag, options),
      isAborted: () => options?.signal?.aborted ?? false,
      signal: options?.signal,
      clock: deps.clock,
      random: deps.random,
      policy: policyFor(deps.policy, options),
      onBroken: (error, reachedBytes) => options?.onBroken?.(error, reachedBytes),
    },
  );
  return Object.assign(content, first.head);
}

/** What is missing of an object that was being read. Its answer is compared with the first one in any case. */
async function reopen(
  executor: Executor,
  ref: ObjectRef,
  missing: ByteRange | null,
  etag: string | null,
  options: RequestOptions | undefined,
): Promise<OpenedObject> {
  const wanted: Wanted = missing === null ? ref : { ...ref, range: missing };
  const ifMatch = strongEtag(etag);
  if (ifMatch === null) return await openOnce(executor, wanted, options);
  try {
    return await openOnce(executor, { ...wanted, ifMatch }, options);
  } catch (thrown) {
    // Its answer tells what it is of, whatever the service makes of conditions.
    if (conditionRefusalOf(toAppError(thrown)) === null) throw thrown;
    return await openOnce(executor, wanted, options);
  }
}

async function openOnce(
  executor: Executor,
  { range, ifMatch, checksums, ...ref }: Wanted,
  options: RequestOptions | undefined,
): Promise<OpenedObject> {
  const signal = options?.signal;
  return await executor.keys.send(
    { id: `${ref.bucket}/${ref.key}`, bucket: ref.bucket },
    async (key) =>
      await executor.execute(
        {
          name: 'GetObject',
          method: 'GET',
          bucket: ref.bucket,
          key: ref.key,
          query: versionQuery(ref),
          headers: {
            ...executor.quirks.objectReadHeaders,
            ...customerKeyHeaders(key),
            ...checksumMode(checksums),
            ...(range ? { range: `bytes=${range.firstByte}-${range.lastByte}` } : {}),
            ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
          },
          effect: 'read',
          repeatable: 'always',
        },
        options,
        (answer) => Promise.resolve(openObject(answer, range ?? null, () => signal?.aborted ?? false)),
      ),
  );
}

/** Without it AWS names no checksum (API_GetObject). */
export function checksumMode(isWanted: boolean | undefined): Readonly<Record<string, string>> {
  return isWanted === true ? { 'x-amz-checksum-mode': 'ENABLED' } : {};
}

/** A HEAD without Content-Length, as behind some proxies: a range of one byte tells the length, else the bytes are counted. */
export async function withLength(
  executor: Executor,
  ref: ObjectRef,
  { sizeBytes, ...head }: AnsweredObject,
  options: RequestOptions | undefined,
): Promise<ObjectHead> {
  return { ...head, sizeBytes: sizeBytes ?? (await lengthOf(executor, ref, options)) };
}

/** Describes an object by a GET of its first byte, for services that have no HEAD of objects. */
export async function describeByGet(
  executor: Executor,
  ref: ObjectRef & Pick<GetObjectInput, 'checksums'>,
  options: RequestOptions | undefined,
): Promise<AnsweredObject> {
  try {
    return await describedBy(executor, { ...ref, range: { firstByte: 0, lastByte: 0 } }, options);
  } catch (thrown) {
    const { reason } = toAppError(thrown);
    if (reason !== 'invalid-range' && reason !== 'range-ignored') throw thrown;
    return await describedBy(executor, ref, options);
  }
}

async function describedBy(
  executor: Executor,
  wanted: Wanted,
  options: RequestOptions | undefined,
): Promise<AnsweredObject> {
  const { head, content } = await openOnce(executor, wanted, options);
  content.destroy();
  const { contentRange: _range, ...described } = head;
  return described;
}

async function lengthOf(
  executor: Executor,
  ref: ObjectRef,
  options: RequestOptions | undefined,
): Promise<number> {
  try {
    const { head, content } = await openOnce(
      executor,
      { ...ref, range: { firstByte: 0, lastByte: 0 } },
      options,
    );
    content.destroy();
    if (head.sizeBytes !== null) return head.sizeBytes;
  } catch (thrown) {
    const { reason } = toAppError(thrown);
    // Nothing has no first byte.
    if (reason === 'invalid-range') return 0;
    if (reason !== 'range-ignored') throw thrown;
  }
  const { head, content } = await openOnce(executor, ref, options);
  if (head.sizeBytes !== null) {
    content.destroy();
    return head.sizeBytes;
  }
  let counted = 0;
  await content.read((chunk) => {
    counted += chunk.byteLength;
    if (counted > countedBytes)
      throw protocolFailure('unexpected-answer', 'The service does not say how long the object is.', {
        retry: 'after-fix',
      });
  });
  return counted;
}
