import { failure, toAppError, type AppError, type AppFailure } from '../../../../shared/errors.ts';
import type { ConditionalOperation, ConditionForm } from '../model/condition-memory.ts';
import { strongEtag } from '../model/etag.ts';
import { headOrNull } from './look-at-key.ts';
import { isAnswerOf, isUnchanged, type SeenObject, type WantedObject } from '../model/seen.ts';
import type {
  GetObjectInput,
  GetObjectOptions,
  GetObjectOutput,
  ObjectHead,
  ObjectRef,
} from '../model/object-types.ts';
import type { RequestOptions } from '../model/request-types.ts';
import type { S3Client } from '../model/s3-client.ts';

/** The expected state of a key when a request arrives. */
export type Expected =
  | { readonly kind: 'anything' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'object'; readonly is: (now: ObjectHead) => boolean; readonly etag: string | null };

export const anything: Expected = { kind: 'anything' };
export const absent: Expected = { kind: 'absent' };

/** Returns the expectation that the key still holds exactly the object seen. */
export function asSeen(seen: SeenObject): Expected {
  return { kind: 'object', etag: seen.etag, is: (now) => isUnchanged(seen, now) };
}

/** Returns the expectation that the key is as the HEAD found it: without an object, or with exactly this one. */
export function asLooked(head: ObjectHead | null): Expected {
  return head === null ? absent : asSeen(head);
}

/** The headers of a condition; empty for an unconditional request. */
export interface WriteCondition {
  readonly ifNoneMatch?: '*';
  readonly ifMatch?: string;
}

/** Returns the condition as one on a copy's source. */
export function ofCopySource(condition: WriteCondition | undefined): { readonly sourceIfMatch?: string } {
  return condition?.ifMatch === undefined ? {} : { sourceIfMatch: condition.ifMatch };
}

/** The condition of one request on one key. A copy has conditions on two. */
export interface Requirement {
  readonly client: S3Client;
  readonly ref: ObjectRef;
  readonly operation: ConditionalOperation;
  readonly expected: Expected;
  /** Reads the key's state; defaults to a HEAD. */
  readonly look?: () => Promise<ObjectHead | null>;
  /** True if many requests share the requirement, so that their caller checks it before the first and after the last of them. */
  readonly isProvedByOwner?: boolean;
  readonly signal?: AbortSignal;
}

/** A request that relies only on an earlier check is not repeated without another check. */
type Tries = Pick<RequestOptions, 'maxTries'>;

/**
 * Sends a request whose effect depends on the state of a key. It carries conditions if the service honours them. It cannot if the
 * ETag is weak (RFC 9110, 13.1.1). Some services refuse conditions (501, 400), or send 412 although they hold, as behind a proxy
 * that weakens ETags. Then the key is checked just before, a copy's source also after, and the request is sent without
 * conditions. The service's behaviour is remembered for the bucket. Throws `precondition-failed` if the key is not as expected.
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
    // Retries without the condition only when the service reported that the condition does not hold.
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
      for (const requirement of usable) if (!carried.includes(requirement)) refuses(requirement);
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
      // Checks the requirements itself: a failed one throws, and if all hold, the service's refusal is meaningless.
      await checkAll(usable, error);
      if (!isRefusal) throw thrown;
      refused = thrown;
    }
  }
  throw refused;
}

/** Like `sendUnder`, for a request with one requirement. */
export async function sendIf<T>(
  requirement: Requirement,
  send: (condition: WriteCondition, tries: Tries) => Promise<T>,
): Promise<T> {
  return await sendUnder([requirement], async ([condition], tries) => await send(condition ?? {}, tries));
}

/** Sends a GET for exactly the wanted object. Throws `precondition-failed` if the response is for another one. */
export async function getExactly(
  client: S3Client,
  input: GetObjectInput,
  wanted: WantedObject,
  options?: GetObjectOptions,
): Promise<GetObjectOutput> {
  const expected: Expected = { kind: 'object', etag: wanted.etag, is: (now) => isAnswerOf(wanted, now) };
  const requirement: Requirement = {
    client,
    ref: refOf(input),
    operation: 'get',
    expected,
    // Every response carries the ETag, length and time that identify its object.
    isProvedByOwner: true,
    ...(options?.signal === undefined ? {} : { signal: options.signal }),
  };
  return await sendIf(requirement, async (condition) => {
    const answer = await client.getObject({ ...input, ...condition }, options);
    if (isAnswerOf(wanted, answer)) return answer;
    answer.body.destroy();
    throw notAsExpected();
  });
}

/** Throws `precondition-failed` if the key is not as required now; for a deletion, `not-found` if there is no object. */
export async function checkNow(requirement: Requirement): Promise<void> {
  await check(requirement, null);
}

/** Returns true if the request can carry its condition, so that the service itself enforces it. */
export function isCarried(requirement: Requirement): boolean {
  return conditionOf(requirement) !== null;
}

/** Returns the condition to send; null without a strong ETag or an expectation. */
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

/** The meaning of a refused conditional request. */
export type ConditionRefusal =
  /** 412: the service says that the condition does not hold. */
  | 'does-not-hold'
  /** 501, 405 or 400: the service does not support the condition, or may not. */
  | 'not-known';

/** Classifies a refusal of a condition; null for any other error. */
export function conditionRefusalOf({ code, reason, s3 }: AppError): ConditionRefusal | null {
  if (reason === 'precondition-failed') return 'does-not-hold';
  if (code === 'unsupported') return s3?.code === 'AccessControlListNotSupported' ? null : 'not-known';
  // InvalidArgument, InvalidRequest and unknown codes; MalformedXML for a key's ETag in DeleteObjects.
  const isInvalid = code === 'invalid-argument' && (reason === 'refused' || reason === 'malformed-xml');
  return isInvalid ? 'not-known' : null;
}

/**
 * Returns true for a 404, which services send for an If-Match on a missing key (S3 API, PutObject). For a copy it may be about
 * the source.
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

/** Returns true for a request that would overwrite any object at the key if sent without a condition. */
function isOfTarget({ operation, expected }: Requirement): boolean {
  return operation !== 'get' && operation !== 'copy-source' && expected.kind !== 'anything';
}

function formOf(expected: Expected): ConditionForm {
  return expected.kind === 'absent' ? 'absent' : 'etag';
}

function refuses({ client, ref, operation, expected }: Requirement): void {
  client.conditions.learned(ref.bucket, operation, formOf(expected), 'refused');
}

interface Attempt {
  readonly carried: readonly Requirement[];
  readonly isRepeated?: boolean;
}

/**
 * Returns the attempts to make: with all conditions, once more with all (the obstacle may be gone), with all but one, with none.
 */
function attemptsOf(usable: readonly Requirement[]): readonly Attempt[] {
  const none: Attempt = { carried: [] };
  if (usable.length === 0) return [none];
  const withoutOne =
    usable.length > 1
      ? usable.map((left) => ({ carried: usable.filter((requirement) => requirement !== left) }))
      : [];
  return [{ carried: usable }, { carried: usable, isRepeated: true }, ...withoutOne, none];
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
  const read = look ?? (() => headOrNull(client, ref, signal === undefined ? undefined : { signal }));
  const now = await read().catch((thrown: unknown) => {
    // The service's own refusal counts if the key may not be read.
    const isRefused = refusal !== null && conditionRefusalOf(refusal) === 'does-not-hold';
    throw isRefused && toAppError(thrown).code === 'access-denied' ? notAsExpected(refusal) : thrown;
  });
  if (expected.kind === 'absent' ? now === null : now !== null && expected.is(now)) return;
  if (now === null && operation === 'delete') throw gone();
  throw notAsExpected(refusal);
}

function notAsExpected(refusal: AppError | null = null): AppFailure {
  return failure('conflict', 'The object at the key is not the one expected there.', {
    reason: 'precondition-failed',
    retry: 'after-fix',
    ...(refusal === null ? {} : { outcome: refusal.outcome, s3: refusal.s3 }),
  });
}

function gone(): AppFailure {
  return failure('not-found', 'There is nothing at the key any more.', { reason: 'no-such-key' });
}

function refOf({ bucket, key, versionId }: ObjectRef): ObjectRef {
  return versionId === undefined ? { bucket, key } : { bucket, key, versionId };
}
