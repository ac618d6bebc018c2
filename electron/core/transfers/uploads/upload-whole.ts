import path from 'node:path';
import { type SinglePutFile, isObjectAsPlanned, isLeftDamaged } from './upload-target.ts';
import { failure, toAppError } from '../../../../shared/errors.ts';
import type { BodySource } from '../../ports.ts';
import { absent, anything, conditionRefusalOf, type Expected } from '../../s3/conditions/conditional.ts';
import { proofOfPut, putProved, sentBytes, type ProvablePut } from '../../s3/conditions/put-proved.ts';
import type { ObjectAttributes, ObjectHead } from '../../s3/model/object-types.ts';
import { checkUnchanged, lookAtFile, plannedSource, type JobFile } from '../../disk/local-file.ts';
import { sliceBody } from '../../disk/slice-body.ts';
import { failedAttempt, logged } from '../../jobs/log-request.ts';
import { loggedHead } from '../../multipart/outcome/look.ts';
import { conflictPolicyOf, saveItem, type ItemContext } from '../items/item-context.ts';
import { sourceOf } from '../items/transfer-job.ts';
import type { UploadItem } from '../items/transfer-item.ts';

/** The maximum size in bytes of files that are held in memory while they are sent, several in parallel. */
const maxHeldBytes = 16 * 1024 * 1024;

/**
 * Reads and hashes a small file in a thread and keeps its content in memory. Only hashes a larger file for a single PUT, and only
 * checks one that is sent in parts. Throws `AppError('storage')` if the path is not a file or cannot be read.
 */
export async function readSmall(
  context: ItemContext,
  item: UploadItem,
  fromBytes: number,
): Promise<{ readonly file: JobFile; readonly small: SinglePutFile | null }> {
  const source = sourceOf(context.job, item);
  const { path: filePath, within } = source;
  if ((item.sizeBytes ?? 0) >= fromBytes) {
    const file = await lookAtFile(source);
    if (file.sizeBytes >= fromBytes) return { file, small: null };
  }
  const { algorithm } = context.client.checksums;
  const request = { ...source, maxBytes: Math.min(fromBytes - 1, maxHeldBytes), algorithm };
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
  if (content !== null) return { file, small: { ...content, sizeBytes, md5: Buffer.from(content.md5) } };
  if (sizeBytes >= fromBytes) return { file, small: null };
  const whole = { ...plannedSource(file), offset: 0, sizeBytes, algorithm };
  const { md5, checksums } = await context.deps.hasher.hash(whole, context.signal);
  return { file, small: { sizeBytes, bytes: null, md5: Buffer.from(md5, 'hex'), checksums } };
}

/** Sends a file. If the file changed before or during the request, throws that error instead of the service's. */
export async function sendWhole<T>(file: JobFile, small: SinglePutFile, send: () => Promise<T>): Promise<T> {
  const isInMemory = small.bytes !== null;
  try {
    const sent = await send();
    if (!isInMemory) await checkUnchanged(file);
    return sent;
  } catch (thrown) {
    if (!isInMemory) await checkUnchanged(file);
    throw thrown;
  }
}

/** The content of a file with its digests, which the service checks. */
interface Content extends Pick<SinglePutFile, 'md5' | 'checksums'> {
  readonly body: BodySource;
}

function provableOf(
  { client, job, signal, log }: ItemContext,
  { key }: UploadItem,
  attributes: ObjectAttributes,
  { body, md5, checksums }: Content,
) {
  const input = { bucket: job.bucket, key, ...attributes, body, checksums };
  const around: ProvablePut['around'] = async (send) => await logged(log, 'put-object', send, key);
  return { client, input, md5: md5.toString('hex'), signal, around };
}

/**
 * Returns what must be at the key when the PUT arrives: nothing, a damaged object of an earlier attempt, the planned object, or
 * anything if the user agreed.
 */
function expectedAt(context: ItemContext, item: UploadItem): Expected {
  const { damaged } = item;
  if (conflictPolicyOf(context, item) !== 'overwrite')
    return damaged === null
      ? absent
      : { kind: 'object', etag: damaged.etag, is: (now) => isLeftDamaged(item, now) };
  const planned = item.sync?.target ?? null;
  if (planned === null) return anything;
  return { kind: 'object', etag: planned.etag, is: (now) => isObjectAsPlanned(planned, now) };
}

/** The result of a PUT request. `taken`: the key has an object that may not be overwritten. */
export type PutResult = 'proved' | 'unproved' | 'taken';

/** Sends the content with its digest by a PUT request and verifies the stored object. */
export async function put(
  context: ItemContext,
  item: UploadItem,
  attributes: ObjectAttributes,
  content: Content,
): Promise<PutResult> {
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
    // Without a condition, this is the service's refusal, and sending the file again would not help.
    if (expected.kind !== 'anything' && toAppError(thrown).reason === 'precondition-failed') return 'taken';
    throw thrown;
  }
}

/** The minimum number of files in a job for which an extra request checks whether the service respects conditions. */
const minFilesToLearn = 20;

/**
 * Sends the same object again with If-None-Match. A 412 response shows that the service respects conditions. Otherwise the key
 * just gets the same content again. Throws `AppError('damaged')` after three damaged attempts.
 */
export async function learnConditional(
  context: ItemContext,
  item: UploadItem,
  attributes: ObjectAttributes,
  content: Content,
): Promise<void> {
  const { client, job, signal, log } = context;
  if (conflictPolicyOf(context, item) === 'overwrite' || job.counts.total < minFilesToLearn) return;
  const learned = client.conditions.beginLearning(job.bucket, 'put', 'absent');
  if (learned === null) return;
  const provable = provableOf(context, item, attributes, content);
  const contentMd5 = content.md5.toString('base64');
  try {
    const reply = await client.putObject(
      { ...provable.input, contentMd5, ifNoneMatch: '*' },
      { signal, maxTries: 1 },
    );
    learned('ignored');
    const sent = sentBytes(client, provable.input, provable.md5);
    const ref = { bucket: job.bucket, key: item.key };
    if ((await proofOfPut(client, ref, sent, reply, signal)).kind !== 'damaged') return;
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
    // The file itself was sent. If support for conditions stays unknown, later uploads only take longer.
    log(failedAttempt('put-object', null, error));
    return;
  }
  // The second request replaced a good object by a damaged one, so the object is sent again.
  await putProved({ ...provable, expected: anything });
}

/** Returns the content held in memory as a request body, or reads the file again if a bandwidth limit applies now. */
export function bodyOf(context: ItemContext, file: JobFile, { sizeBytes, bytes }: SinglePutFile): BodySource {
  const { limiter, signal, onBytes, deps } = context;
  const slice = sliceBody({
    file: plannedSource(file),
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
