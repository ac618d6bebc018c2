import { failure, toAppError, type AppError, type AppFailure } from '../../../../shared/errors.ts';
import type { ConditionalOperation, ConditionForm } from '../model/condition-memory.ts';
import { strongEtag } from '../model/etag.ts';
import { headOrNull } from './look-at-key.ts';
import { isResponseOf, isUnchanged, type SeenObject, type RequestedObject } from '../model/object-proof.ts';
import {
  refOf,
  type GetObjectInput,
  type GetObjectOptions,
  type GetObjectOutput,
  type ObjectHead,
  type ObjectRef,
} from '../model/object-types.ts';
import type { RequestOptions } from '../model/request-types.ts';
import type { S3Client } from '../model/s3-client.ts';

/** The state that a key must have when the request arrives at the service. */
export type Expected =
  | { readonly kind: 'anything' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'object'; readonly is: (now: ObjectHead) => boolean; readonly etag: string | null };

export const anything: Expected = { kind: 'anything' };
export const absent: Expected = { kind: 'absent' };

/** Returns the expectation that the key still has exactly the `observed` object. */
export function expectObject(observed: SeenObject): Expected {
  return { kind: 'object', etag: observed.etag, is: (now) => isUnchanged(observed, now) };
}

/** Returns the expectation that the key is still as HEAD found it: the same object, or none. */
export function expectHead(head: ObjectHead | null): Expected {
  return head === null ? absent : expectObject(head);
}

/** The headers that make a request conditional; empty for an unconditional request. */
export interface WriteCondition {
  readonly ifNoneMatch?: '*';
  readonly ifMatch?: string;
}

/** Returns the condition in the form for the source of a copy. */
export function ofCopySource(condition: WriteCondition | undefined): { readonly sourceIfMatch?: string } {
  return condition?.ifMatch === undefined ? {} : { sourceIfMatch: condition.ifMatch };
}

/** A condition on one key. A copy has two: on its source and on its target. */
export interface Requirement {
  readonly client: S3Client;
  readonly ref: ObjectRef;
  readonly operation: ConditionalOperation;
  readonly expected: Expected;
  /** Reads the current state of the key. If absent, sends a HEAD. */
  readonly look?: () => Promise<ObjectHead | null>;
  /** True if many requests share the requirement. The caller then checks it before the first request and after the last one. */
  readonly isProvedByOwner?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The number of attempts. A request without conditions is tried once, because each repetition needs another check. */
type Tries = Pick<RequestOptions, 'maxTries'>;

/**
 * Sends a request that requires certain states of keys, as conditions if possible. It is not possible for weak ETags (RFC 9110,
 * 13.1.1) and for services that refuse conditions (501, 400, or 412 for a condition that holds). The keys are then checked just
 * before the request, and the source of a copy also after it. Remembers the service's behaviour for the bucket. Throws
 * `precondition-failed` if a key is not as required.
 */
export async function sendUnder<T>(
  requirements: readonly Requirement[],
  send: (conditions: readonly WriteCondition[], tries: Tries) => Promise<T>,
): Promise<T> {
  const usable = requirements.filter((requirement) => conditionOf(requirement) !== null);
  await checkAll(
    requirements.filter(
      (requirement) => !usable.includes(requirement) && requirement.isProvedByOwner !== true,
    ),
  );
  let refused: unknown = null;
  for (const { carried, isRepeated } of attemptsOf(usable)) {
    // A repetition with the same conditions only makes sense if the service reported that a condition does not hold.
    if (isRepeated && conditionRefusalOf(toAppError(refused)) !== 'does-not-hold') continue;
    try {
      const conditions = requirements.map((requirement) =>
        carried.includes(requirement) ? conditionOf(requirement) : null,
      );
      const isBare = requirements.some(
        (requirement) => isOfTarget(requirement) && !carried.includes(requirement),
      );
      const result = await send(
        conditions.map((condition) => condition ?? {}),
        isBare ? { maxTries: 1 } : {},
      );
      for (const requirement of usable) if (!carried.includes(requirement)) rememberRefusal(requirement);
      const unproved = requirements.filter(
        (requirement) => !carried.includes(requirement) && requirement.isProvedByOwner !== true,
      );
      await checkAll(unproved.filter(({ operation }) => operation === 'copy-source'));
      return result;
    } catch (thrown) {
      if (carried.length === 0) throw thrown;
      const error = toAppError(thrown);
      const isRefusal = conditionRefusalOf(error) !== null;
      if (!isRefusal && !carried.some((requirement) => mayBeGone(error, requirement))) throw thrown;
      // Throws if a condition does not hold. If all hold, the service refused the request wrongly.
      await checkAll(usable, error);
      if (!isRefusal) throw thrown;
      refused = thrown;
    }
  }
  throw refused;
}

/** Sends a request with a single requirement, like `sendUnder`. */
export async function sendIf<T>(
  requirement: Requirement,
  send: (condition: WriteCondition, tries: Tries) => Promise<T>,
): Promise<T> {
  return await sendUnder([requirement], async ([condition], tries) => await send(condition ?? {}, tries));
}

/** Gets exactly the requested object. Throws `precondition-failed` if the response is for another object. */
export async function getExactly(
  client: S3Client,
  input: GetObjectInput,
  requested: RequestedObject,
  options?: GetObjectOptions,
): Promise<GetObjectOutput> {
  const expected: Expected = {
    kind: 'object',
    etag: requested.etag,
    is: (now) => isResponseOf(requested, now),
  };
  const requirement: Requirement = {
    client,
    ref: refOf(input),
    operation: 'get',
    expected,
    // No further check is needed, because each response contains the ETag, length and time of its object.
    isProvedByOwner: true,
    signal: options?.signal,
  };
  return await sendIf(requirement, async (condition) => {
    const reply = await client.getObject({ ...input, ...condition }, options);
    if (isResponseOf(requested, reply)) return reply;
    reply.body.destroy();
    throw notAsExpected();
  });
}

/**
 * Checks the key now. Throws `precondition-failed` if it is not as required, and `not-found` if an object to delete does not
 * exist.
 */
export async function checkNow(requirement: Requirement): Promise<void> {
  await check(requirement, null);
}

/** Returns true if the request can carry the condition, so that the service checks it. */
export function isCarried(requirement: Requirement): boolean {
  return conditionOf(requirement) !== null;
}

/** Returns the headers for a condition; null if nothing is expected, or if the object has no strong ETag. */
export function writeConditionFor(expected: Expected): WriteCondition | null {
  switch (expected.kind) {
    case 'anything':
      return null;
    case 'absent':
      return { ifNoneMatch: '*' };
    case 'object': {
      const etag = strongEtag(expected.etag);
      return etag === null ? null : { ifMatch: etag };
    }
    default:
      return expected satisfies never;
  }
}

/** The meaning of the error with which a conditional request was refused. */
export type ConditionRefusal =
  /** The service responded with 412: the condition does not hold. */
  | 'does-not-hold'
  /** The service responded with 501, 405 or 400: it may not support the condition. */
  | 'not-known';

/** Returns the meaning of the error; null if it is not about the condition. */
export function conditionRefusalOf({ code, reason, s3 }: AppError): ConditionRefusal | null {
  if (reason === 'precondition-failed') return 'does-not-hold';
  if (code === 'unsupported') return s3?.code === 'AccessControlListNotSupported' ? null : 'not-known';
  // InvalidArgument, InvalidRequest and unknown codes; MalformedXML for a key's ETag in DeleteObjects.
  const isInvalid = code === 'invalid-argument' && (reason === 'refused' || reason === 'malformed-xml');
  return isInvalid ? 'not-known' : null;
}

/**
 * Returns true for a 404 in response to If-Match, which means that the key has no object (S3 API, PutObject). For a copy, the
 * source may be missing instead.
 */
function mayBeGone({ reason }: AppError, { operation, expected }: Requirement): boolean {
  const isWrite = operation === 'put' || operation === 'copy';
  return isWrite && expected.kind === 'object' && reason === 'no-such-key';
}

function conditionOf({ client, ref, operation, expected }: Requirement): WriteCondition | null {
  const condition = writeConditionFor(expected);
  if (condition === null) return null;
  return client.conditions.of(ref.bucket, operation, formOf(expected)) === 'refused' ? null : condition;
}

/** Returns true for a request that, without a condition, would replace or delete any object at the key. */
function isOfTarget({ operation, expected }: Requirement): boolean {
  return operation !== 'get' && operation !== 'copy-source' && expected.kind !== 'anything';
}

function formOf(expected: Expected): ConditionForm {
  return expected.kind === 'absent' ? 'absent' : 'etag';
}

function rememberRefusal({ client, ref, operation, expected }: Requirement): void {
  client.conditions.learned(ref.bucket, operation, formOf(expected), 'refused');
}

interface Attempt {
  readonly carried: readonly Requirement[];
  readonly isRepeated?: boolean;
}

/** Returns the conditions of each attempt: all, all again (the cause of a refusal may have passed), all but one, and none. */
function attemptsOf(usable: readonly Requirement[]): readonly Attempt[] {
  const unconditional: Attempt = { carried: [] };
  if (usable.length === 0) return [unconditional];
  const allButOne =
    usable.length > 1
      ? usable.map((left) => ({ carried: usable.filter((requirement) => requirement !== left) }))
      : [];
  return [{ carried: usable }, { carried: usable, isRepeated: true }, ...allButOne, unconditional];
}

async function checkAll(
  requirements: readonly Requirement[],
  refusal: AppError | null = null,
): Promise<void> {
  await Promise.all(requirements.map(async (requirement) => await check(requirement, refusal)));
}

async function check(requirement: Requirement, refusal: AppError | null): Promise<void> {
  const { client, ref, operation, expected, look, signal } = requirement;
  if (expected.kind === 'anything') return;
  const read = look ?? (() => headOrNull(client, ref, { signal }));
  const now = await read().catch((thrown: unknown) => {
    // If the key cannot be read, the service's refusal of the condition is thrown instead.
    const isRefused = refusal !== null && conditionRefusalOf(refusal) === 'does-not-hold';
    throw isRefused && toAppError(thrown).code === 'access-denied' ? notAsExpected(refusal) : thrown;
  });
  if (expected.kind === 'absent' ? now === null : now !== null && expected.is(now)) return;
  if (now === null && operation === 'delete') throw gone();
  throw notAsExpected(refusal);
}

function notAsExpected(refusal: AppError | null = null): AppFailure {
  return failure('conflict', 'The object at the key is not the expected one.', {
    reason: 'precondition-failed',
    retry: 'after-fix',
    ...(refusal === null ? {} : { outcome: refusal.outcome, s3: refusal.s3 }),
  });
}

function gone(): AppFailure {
  return failure('not-found', 'The key no longer has an object.', { reason: 'no-such-key' });
}
