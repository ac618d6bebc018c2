import { toAppError } from '../../../../shared/errors.ts';
import { conditionRefusalOf } from '../conditions/conditional.ts';
import { customerKeyHeaders } from '../http/customer-key-headers.ts';
import { protocolFailure } from '../model/s3-errors.ts';
import { strongEtag } from '../model/etag.ts';
import { withFallback } from '../http/optional-parts.ts';
import type { Executor } from '../http/executor.ts';
import { repeatable } from '../http/s3-operation.ts';
import { policyFor } from '../http/retry.ts';
import {
  readAsStored,
  describedIn,
  lengthIn,
  openObject,
  type AnsweredObject,
  type OpenedObject,
} from './object-content.ts';
import { resumableBody } from './resumable-body.ts';
import {
  refOf,
  type ByteRange,
  type GetObjectInput,
  type GetObjectOptions,
  type GetObjectOutput,
  type ObjectHead,
  type ObjectRef,
} from '../model/object-types.ts';
import type { CustomerKey } from '../model/connection-types.ts';
import type { RequestOptions } from '../model/request-types.ts';
import { versionQuery } from './attribute-headers.ts';

/** The maximum number of bytes to read for finding out the length of an object. */
const countedBytes = 16 * 1024 * 1024;

type ObjectRequest = ObjectRef & Pick<GetObjectInput, 'range' | 'ifMatch' | 'checksums' | 'sizeBytes'>;

/** Implements GetObject. If the connection breaks, reading the body resumes over a new one. */
export async function readObject(
  executor: Executor,
  input: GetObjectInput,
  options: GetObjectOptions | undefined,
): Promise<GetObjectOutput> {
  const { deps } = executor;
  const ref = refOf(input);
  const range = input.range ?? null;
  const first = await openOnce(executor, input, options);
  const content = resumableBody(
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

/** Requests the missing bytes of an object. The caller must compare the response with the first one. */
async function reopen(
  executor: Executor,
  ref: ObjectRef,
  missing: ByteRange | null,
  etag: string | null,
  options: RequestOptions | undefined,
): Promise<OpenedObject> {
  const objectRequest: ObjectRequest = missing === null ? ref : { ...ref, range: missing };
  const ifMatch = strongEtag(etag);
  if (ifMatch === null) return await openOnce(executor, objectRequest, options);
  try {
    return await openOnce(executor, { ...objectRequest, ifMatch }, options);
  } catch (thrown) {
    // The condition is not needed, because the response identifies its object.
    if (conditionRefusalOf(toAppError(thrown)) === null) throw thrown;
    return await openOnce(executor, objectRequest, options);
  }
}

async function openOnce(
  executor: Executor,
  objectRequest: ObjectRequest,
  options: RequestOptions | undefined,
): Promise<OpenedObject> {
  return await executor.keys.send(
    { id: `${objectRequest.bucket}/${objectRequest.key}`, bucket: objectRequest.bucket },
    async (key) => await openWith(executor, objectRequest, key, options),
  );
}

async function openWith(
  executor: Executor,
  { range, ifMatch, checksums, sizeBytes, ...ref }: ObjectRequest,
  key: CustomerKey | null,
  options: RequestOptions | undefined,
): Promise<OpenedObject> {
  const signal = options?.signal;
  return await readAsStored({
    memory: executor.memory,
    decompresses: executor.quirks.decompresses,
    sizeBytes,
    send: async (headers, takes) =>
      await executor.execute(
        repeatable({
          name: 'GetObject',
          method: 'GET',
          bucket: ref.bucket,
          key: ref.key,
          query: versionQuery(ref),
          headers: {
            ...headers,
            ...customerKeyHeaders(key),
            ...checksumMode(checksums),
            ...(range ? { range: `bytes=${range.firstByte}-${range.lastByte}` } : {}),
            ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
          },
        }),
        options,
        (reply) => {
          if (takes(reply))
            return Promise.resolve(openObject(reply, range ?? null, () => signal?.aborted ?? false));
          reply.discard();
          return Promise.resolve(null);
        },
      ),
  });
}

/**
 * Implements HeadObject. If HEAD is refused or not supported (405), a GET of one byte returns the same headers. Unlike HEAD, a
 * refused GET contains a reason, such as a missing customer's key.
 */
export async function describe(
  executor: Executor,
  ref: ObjectRef & Pick<GetObjectInput, 'checksums'> & { readonly partNumber?: number },
  options: RequestOptions | undefined,
): Promise<AnsweredObject> {
  return await executor.keys.send({ id: `${ref.bucket}/${ref.key}`, bucket: ref.bucket }, async (key) => {
    const { partNumber, ...object } = ref;
    const first = async (tries: RequestOptions | undefined) =>
      await readAsStored({
        memory: executor.memory,
        decompresses: executor.quirks.decompresses,
        sizeBytes: undefined,
        send: async (headers, takes) =>
          await executor.execute(
            repeatable({
              name: 'HeadObject',
              method: 'HEAD',
              bucket: ref.bucket,
              key: ref.key,
              query: {
                ...versionQuery(ref),
                ...(partNumber === undefined ? {} : { partNumber: String(partNumber) }),
              },
              headers: { ...headers, ...customerKeyHeaders(key), ...checksumMode(ref.checksums) },
            }),
            tries,
            async (reply) => {
              await reply.bytes();
              return takes(reply) ? { ...describedIn(reply), sizeBytes: lengthIn(reply) } : null;
            },
          ),
      });
    // A GET of one byte would not return the length of a part.
    if (partNumber !== undefined) return await first(options);
    const second = async (tries: RequestOptions | undefined) =>
      await describeByByte(
        async (objectRequest) => await openWith(executor, { ...object, ...objectRequest }, key, tries),
      );
    return await withFallback(executor.memory, 'HeadObject', options, { first, second });
  });
}

/**
 * Returns the headers of an object by a GET of its first byte. Uses a GET of the whole object if it is empty, or if the service
 * ignores ranges.
 */
async function describeByByte(
  open: (objectRequest: Pick<ObjectRequest, 'range'>) => Promise<OpenedObject>,
): Promise<AnsweredObject> {
  const { head, content } = await open({ range: { firstByte: 0, lastByte: 0 } }).catch(
    async (thrown: unknown) => {
      const { reason } = toAppError(thrown);
      if (reason !== 'invalid-range' && reason !== 'range-ignored') throw thrown;
      return await open({});
    },
  );
  content.destroy();
  const { contentRange: _, ...described } = head;
  return described;
}

/** Returns the header that AWS requires to return a checksum (API_GetObject). */
function checksumMode(isRequested: boolean | undefined): Readonly<Record<string, string>> {
  return isRequested === true ? { 'x-amz-checksum-mode': 'ENABLED' } : {};
}

/**
 * Returns the response to HEAD with a length. If the response had none, as behind some proxies, sends a GET of one byte, or else
 * counts the bytes.
 */
export async function withLength(
  executor: Executor,
  ref: ObjectRef,
  { sizeBytes, ...head }: AnsweredObject,
  options: RequestOptions | undefined,
): Promise<ObjectHead> {
  return { ...head, sizeBytes: sizeBytes ?? (await lengthOf(executor, ref, options)) };
}

async function lengthOf(
  executor: Executor,
  ref: ObjectRef,
  options: RequestOptions | undefined,
): Promise<number> {
  const { sizeBytes } = await describeByByte(
    async (objectRequest) => await openOnce(executor, { ...ref, ...objectRequest }, options),
  );
  if (sizeBytes !== null) return sizeBytes;
  const { content } = await openOnce(executor, ref, options);
  let counted = 0;
  await content.read((chunk) => {
    counted += chunk.byteLength;
    if (counted > countedBytes)
      throw protocolFailure('unexpected-answer', 'The service does not report the size of the object.');
  });
  return counted;
}
