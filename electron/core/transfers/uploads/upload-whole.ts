import { type Small, isObjectAsPlanned, isLeftDamaged, uploadPolicyOf } from './upload-target.ts';
import path from 'node:path';
import { failure, toAppError } from '../../../../shared/errors.ts';
import type { BodySource } from '../../ports.ts';
import { absent, anything, conditionRefusalOf, type Expected } from '../../s3/conditions/conditional.ts';
import { proofOfPut, putProved, type ProvablePut } from '../../s3/conditions/put-proved.ts';
import type { ObjectAttributes, ObjectHead } from '../../s3/model/object-types.ts';
import { checkUnchanged, lookAtFile, sliceBody, type JobFile } from '../../disk/local-file.ts';
import { failedAttempt, logged } from '../../jobs/log-request.ts';
import { loggedHead } from '../../multipart/outcome/head-seen.ts';
import { saveItem, type ItemContext } from '../items/item-context.ts';
import { sourceOf, type UploadItem } from '../items/transfer-job.ts';

/** A file of up to this size is held in memory while it is sent, eight of them at a time. */
const heldBytes = 16 * 1024 * 1024;

/**
 * A small file is read once, in a thread: what is hashed is what is sent. A larger one, where the settings let it go by one PUT
 * all the same, is hashed first; the service checks what comes. One that goes in parts is only looked at.
 */
export async function readSmall(
  context: ItemContext,
  item: UploadItem,
  fromBytes: number,
): Promise<{ readonly file: JobFile; readonly small: Small | null }> {
  const source = sourceOf(context.job, item);
  const { path: filePath, within } = source;
  if ((item.sizeBytes ?? 0) >= fromBytes) {
    const file = await lookAtFile(source);
    if (file.sizeBytes >= fromBytes) return { file, small: null };
  }
  const request = { ...source, maxBytes: Math.min(fromBytes - 1, heldBytes) };
  const { content, isFile, ...known } = await context.deps.hasher.readFile(request, context.signal);
  if (!isFile)
    throw failure('storage', 'This is not a file.', { reason: 'file-unreadable', retry: 'after-fix' });
  const file = {
    path: filePath,
    ...(within === undefined ? {} : { within }),
    name: path.basename(filePath),
    ...known,
  };
  const { sizeBytes } = file;
  if (content !== null)
    return { file, small: { sizeBytes, bytes: content.bytes, md5: Buffer.from(content.md5) } };
  if (sizeBytes >= fromBytes) return { file, small: null };
  const whole = { ...source, offset: 0, sizeBytes, algorithm: null };
  const { md5 } = await context.deps.hasher.hash(whole, context.signal);
  return { file, small: { sizeBytes, bytes: null, md5: Buffer.from(md5, 'hex') } };
}

/**
 * A file that is not held in memory may have changed between hashing and sending, or while it was read: then that is the failure,
 * whatever the service says.
 */
export async function sendWhole<T>(file: JobFile, small: Small, send: () => Promise<T>): Promise<T> {
  const isHeld = small.bytes !== null;
  try {
    const sent = await send();
    if (!isHeld) await checkUnchanged(file);
    return sent;
  } catch (thrown) {
    if (!isHeld) await checkUnchanged(file);
    throw thrown;
  }
}

/** The bytes of a file with their digest, which the service checks. */
interface Content {
  readonly body: BodySource;
  readonly md5: Buffer;
}

function provableOf(
  { client, job, signal, log }: ItemContext,
  { key }: UploadItem,
  attributes: ObjectAttributes,
  { body, md5 }: Content,
) {
  const input = { bucket: job.bucket, key, ...attributes, body };
  const around: ProvablePut['around'] = async (send) => await logged(log, 'put-object', send, () => key);
  return { client, input, md5: md5.toString('hex'), signal, around };
}

/** The expected state of the key at the PUT: free, as planned, or any because the user said so. */
function expectedAt(context: ItemContext, item: UploadItem): Expected {
  const { damaged } = item;
  if (uploadPolicyOf(context, item) !== 'overwrite')
    return damaged === null
      ? absent
      : { kind: 'object', etag: damaged.etag, is: (now) => isLeftDamaged(item, now) };
  const planned = item.sync?.target ?? null;
  if (planned === null) return anything;
  return { kind: 'object', etag: planned.etag, is: (now) => isObjectAsPlanned(planned, now) };
}

/** How a PUT ended. `taken`: something is at the key, and may not be overwritten. */
export type Put = 'proved' | 'unproved' | 'taken';

/** One PUT with its digest, and the proof of what it stored. */
export async function put(
  context: ItemContext,
  item: UploadItem,
  attributes: ObjectAttributes,
  content: Content,
): Promise<Put> {
  const { client, job, signal, log } = context;
  const ref = { bucket: job.bucket, key: item.key };
  const expected = expectedAt(context, item);
  const look = (): Promise<ObjectHead | null> => loggedHead(log, client, ref, signal);
  try {
    const { isProved } = await putProved({
      ...provableOf(context, item, attributes, content),
      expected,
      look,
      onDamaged: (damaged) => void saveItem(context, { ...item, damaged }),
    });
    return isProved ? 'proved' : 'unproved';
  } catch (thrown) {
    if (toAppError(thrown).reason === 'precondition-failed') return 'taken';
    throw thrown;
  }
}

/** The fewest files for which it is worth a request to learn what the service does. */
const worthLearning = 20;

/**
 * The same object once more, only if the key is free: 412 says that the service honours the condition. One that does not
 * has now the same bytes twice at a key that this job has just made.
 */
export async function learnConditional(
  context: ItemContext,
  item: UploadItem,
  attributes: ObjectAttributes,
  content: Content,
): Promise<void> {
  const { client, job, signal, log } = context;
  if (uploadPolicyOf(context, item) === 'overwrite' || job.counts.total < worthLearning) return;
  const learned = client.conditions.beginLearning(job.bucket, 'put', 'absent');
  if (learned === null) return;
  const provable = provableOf(context, item, attributes, content);
  const contentMd5 = content.md5.toString('base64');
  try {
    const answer = await client.putObject(
      { ...provable.input, contentMd5, ifNoneMatch: '*' },
      { signal, maxTries: 1 },
    );
    learned('ignored');
    const sent = { sizeBytes: content.body.sizeBytes, md5: provable.md5 };
    const ref = { bucket: job.bucket, key: item.key };
    if ((await proofOfPut(client, ref, sent, answer, signal)).kind !== 'damaged') return;
  } catch (thrown) {
    const error = toAppError(thrown);
    switch (conditionRefusalOf(error)) {
      case 'does-not-hold':
        learned('honoured');
        return;
      case 'not-known':
        learned('refused');
        break;
      case null:
        learned(null);
        break;
    }
    // The file itself was sent: what could not be learned costs speed alone.
    log(failedAttempt('put-object', null, error));
    return;
  }
  // It has replaced a good object by a damaged one.
  await putProved({ ...provable, expected: anything });
}

/** The bytes as they were read, unless a limit holds by then, or as they are read from the disk once more. */
export function bodyOf(
  context: ItemContext,
  { path: filePath, within }: JobFile,
  { sizeBytes, bytes }: Small,
): BodySource {
  const { limiter, signal, onBytes, deps } = context;
  const slice = sliceBody({
    file: { path: filePath ?? '', within },
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
