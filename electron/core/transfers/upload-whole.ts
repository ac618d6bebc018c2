import path from 'node:path';
import { failure, toAppError } from '../../../shared/errors.ts';
import type { BodySource } from '../ports.ts';
import { comparableEtag, mayMeanCondition } from '../s3/conditions.ts';
import type { ObjectAttributes, PutObjectInput, RequestOptions } from '../s3/types.ts';
import { checkUnchanged, lookAtFile, sliceBody } from '../uploads/local-file.ts';
import { failedAttempt, logged } from '../uploads/look.ts';
import type { JobFile } from '../uploads/upload-job.ts';
import type { ItemContext } from './item-context.ts';
import type { Item } from './transfer-job.ts';
import { lookAt, mayStand, policyOf } from './upload-target.ts';

/** A file of up to this size is held in memory while it is sent, eight of them at a time. */
const heldBytes = 16 * 1024 * 1024;

/** A file that goes by one PUT. */
export interface Small {
  readonly sizeBytes: number;
  readonly md5: Buffer;
  /** null: it is too large to be held, and read again while it is sent. */
  readonly bytes: Uint8Array | null;
}

/**
 * A small file is read once, in a thread: what is hashed is what is sent. A larger one, where the settings let it go by one PUT
 * all the same, is hashed first; the service checks what comes. One that goes in parts is only looked at.
 */
export async function readSmall(
  context: ItemContext,
  item: Item,
  fromBytes: number,
): Promise<{ readonly file: JobFile; readonly small: Small | null }> {
  const filePath = item.local;
  if ((item.sizeBytes ?? 0) >= fromBytes) {
    const file = await lookAtFile(filePath);
    if (file.sizeBytes >= fromBytes) return { file, small: null };
  }
  const request = { path: filePath, maxBytes: Math.min(fromBytes - 1, heldBytes) };
  const { content, isFile, ...known } = await context.deps.hasher.readFile(request, context.signal);
  if (!isFile)
    throw failure('storage', 'This is not a file.', { reason: 'file-unreadable', retry: 'after-fix' });
  const file = { path: filePath, name: path.basename(filePath), ...known };
  const { sizeBytes } = file;
  if (content !== null)
    return { file, small: { sizeBytes, bytes: content.bytes, md5: Buffer.from(content.md5) } };
  if (sizeBytes >= fromBytes) return { file, small: null };
  const whole = { path: filePath, offset: 0, sizeBytes, algorithm: null };
  const { md5 } = await context.deps.hasher.hash(whole, context.signal);
  return { file, small: { sizeBytes, bytes: null, md5: Buffer.from(md5, 'hex') } };
}

/** What was hashed and is read again may have changed in between: then the failure is that, whatever the service makes of it. */
export async function sendWhole(file: JobFile, small: Small, send: () => Promise<boolean>): Promise<boolean> {
  try {
    return await send();
  } catch (thrown) {
    if (small.bytes === null) await checkUnchanged(file);
    throw thrown;
  }
}

/** The bytes of a file with their digest, which the service checks. */
interface Content {
  readonly body: BodySource;
  readonly md5: Buffer;
}

function inputOf({ job }: ItemContext, { key }: Item, attributes: ObjectAttributes, { body, md5 }: Content) {
  return { bucket: job.bucket, key, ...attributes, body, contentMd5: md5.toString('base64') };
}

type Condition = Pick<PutObjectInput, 'ifNoneMatch' | 'ifMatch'>;

/** What may stand at the key when the PUT comes; null: anything, or what the service cannot compare. */
function conditionOf(context: ItemContext, item: Item): Condition | null {
  if (policyOf(context, item) !== 'overwrite') return { ifNoneMatch: '*' };
  const etag = comparableEtag(item.sync?.target?.etag ?? null);
  return etag === null ? null : { ifMatch: etag };
}

/** One PUT with its digest. False: something is at the key, and may not be overwritten. */
export async function put(
  context: ItemContext,
  item: Item,
  attributes: ObjectAttributes,
  content: Content,
  isConditional = true,
): Promise<boolean> {
  const { client, job, signal, log } = context;
  const input = inputOf(context, item, attributes, content);
  const send = async (condition: Condition, options: RequestOptions = {}): Promise<void> =>
    void (await logged(
      log,
      'put-object',
      () => client.putObject({ ...input, ...condition }, { signal, ...options }),
      () => item.key,
    ));
  const condition = isConditional ? conditionOf(context, item) : null;
  if (condition === null) {
    await send({});
    return true;
  }
  try {
    await send(condition);
    return true;
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'conflict' && error.reason === 'precondition-failed') return false;
    // What was to be replaced is gone.
    if (error.reason === 'no-such-key' && condition.ifMatch !== undefined) return false;
    const isUnknown =
      condition.ifMatch === undefined ? error.code === 'unsupported' : mayMeanCondition(error);
    if (!isUnknown) throw thrown;
    // This service has no conditional writes: a look just before each PUT has to do.
    if (error.code === 'unsupported' && context.deps.conditional.mayAsk(job))
      context.deps.conditional.learned(job, 'ignored');
    if (!mayStand(context, item, await lookAt(context, item.key))) return false;
    await send({}, { maxTries: 1 });
    return true;
  }
}

/**
 * The same object once more, only if the key is free: 412 says that the service honours the condition. One that does not
 * has now the same bytes twice at a key that this job has just made.
 */
export async function learnConditional(
  context: ItemContext,
  item: Item,
  attributes: ObjectAttributes,
  content: Content,
): Promise<void> {
  const { client, job, signal, log, deps } = context;
  if (policyOf(context, item) === 'overwrite' || !deps.conditional.shouldLearn(job)) return;
  const input = inputOf(context, item, attributes, content);
  try {
    await client.putObject({ ...input, ifNoneMatch: '*' }, { signal, maxTries: 1 });
    deps.conditional.learned(job, 'ignored');
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.reason === 'precondition-failed') deps.conditional.learned(job, 'honoured');
    else {
      deps.conditional.learned(job, error.code === 'unsupported' ? 'ignored' : null);
      // The file itself was sent: what could not be learned costs speed alone.
      log(failedAttempt('put-object', null, error));
    }
  }
}

/** The bytes as they were read, unless a limit holds by then, or as they are read from the disk once more. */
export function bodyOf(
  context: ItemContext,
  { path: filePath }: JobFile,
  { sizeBytes, bytes }: Small,
): BodySource {
  const { limiter, signal, onBytes, deps } = context;
  const slice = sliceBody({
    filePath: filePath ?? '',
    offset: 0,
    sizeBytes,
    bytes,
    limiters: [limiter],
    signal,
    onBytes,
  });
  if (bytes === null) return slice;
  const isLimited = (): boolean => deps.settings().bandwidthBytesPerSecond !== null;
  return { sizeBytes, open: () => (isLimited() ? slice.open() : bytes) };
}
