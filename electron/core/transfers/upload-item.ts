import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { AppFailure, failure, toAppError } from '../../../shared/errors.ts';
import {
  defaultMultipartFromBytes,
  defaultUploadOptions,
  type ConflictPolicy,
  type Side,
} from '../../../shared/models/transfers.ts';
import type { BodySource } from '../ports.ts';
import type { ObjectAttributes } from '../s3/types.ts';
import { md5InEtag, sameEtag } from '../uploads/etag.ts';
import { readFailure } from '../uploads/hash-pool.ts';
import { checkUnchanged, lookAtFile, sliceBody } from '../uploads/local-file.ts';
import { failedAttempt, headOf, logged } from '../uploads/look.ts';
import { mayPass, type HeadSeen } from '../uploads/verify-outcome.ts';
import type { JobFile } from '../uploads/upload-job.ts';
import { conditionalBytes } from './conditional.ts';
import { asks, saveItem, settled, type ItemContext } from './item-context.ts';
import { beginUpload, continueUpload } from './multipart.ts';
import { numberedName } from './names.ts';
import type { Item } from './transfer-job.ts';
import { markerAttributes, uploadAttributes } from './upload-attributes.ts';

/** A file of up to this size is held in memory while it is sent, eight of them at a time. */
const heldBytes = 16 * 1024 * 1024;

export type Present = HeadSeen & { readonly kind: 'present' };

/** Sends one file, or one folder's marker. What comes back is what became of the item; it is not written yet. */
export async function uploadItem(context: ItemContext, item: Item): Promise<Item> {
  if (item.sync === null) return await sendItem(context, item);
  const next = await sendItem(context, await agreedByPlan(context, item));
  // What stands there now is not what the plan saw: from here on the user's answer counts, not the plan's.
  return next.state === 'asking' ? { ...next, sync: null, decision: null } : next;
}

/** The user has agreed to replace what the plan saw, and nothing else. */
async function agreedByPlan(context: ItemContext, item: Item): Promise<Item> {
  const planned = item.sync?.target ?? null;
  if (planned === null || item.decision !== null || item.upload !== null) return item;
  const seen = await lookAt(context, item.key);
  return seen.kind === 'present' && isAsPlanned(planned, seen) ? { ...item, decision: 'overwrite' } : item;
}

async function sendItem(context: ItemContext, item: Item): Promise<Item> {
  if (item.kind === 'folder') return await putMarker(context, item);
  const fromBytes = context.job.upload?.multipartFromBytes ?? defaultMultipartFromBytes;
  if (item.upload !== null) return await finishParts(context, item, await lookAtFile(item.local));
  const { file, small } = await readSmall(context, item, fromBytes);
  const decided = await decideTarget(context, item, file, small);
  if (decided.state !== 'todo') return decided;
  if (small !== null) return await putFile(context, decided, file, small);
  const attributes = attributesOf(context, item.key, file);
  return await finishParts(context, await beginUpload(context, decided, file, attributes, fromBytes), file);
}

function policyOf(context: ItemContext, item: Item): ConflictPolicy {
  return item.decision ?? context.job.onConflict;
}

/** Looks at the key first, unless the user has said that it may be overwritten. A `todo` item may be sent. */
async function decideTarget(
  context: ItemContext,
  item: Item,
  file: JobFile,
  small: Small | null,
): Promise<Item> {
  const policy = policyOf(context, item);
  // After a try whose end is not known a look tells whether it was carried out.
  if (policy === 'overwrite' && item.tries === 0) return withSize(item, file);
  // Where the service itself refuses to overwrite, the PUT is the look.
  const { conditional } = context.deps;
  if (small !== null && item.tries === 0 && mayAskByPut(small) && conditional.mayAsk(context.job))
    return withSize(item, file);
  const seen = await lookAt(context, item.key);
  if (seen.kind !== 'present') return withSize(item, file);
  return await decideAgainst(context, withSize(item, file), file, small, seen);
}

async function decideAgainst(
  context: ItemContext,
  item: Item,
  file: JobFile,
  small: Small | null,
  seen: Present,
): Promise<Item> {
  if (await isSame(context, file, small, seen))
    return settled(item, { state: 'done', note: 'same', verified: true });
  const policy = policyOf(context, item);
  switch (policy) {
    case 'overwrite':
      return item;
    case 'skip':
      return settled(item, { state: 'skipped' });
    case 'rename':
      return await renamed(context, item);
    case 'ask':
      return asks(item, sideOfFile(file), sideOfObject(seen));
    default:
      return policy satisfies never;
  }
}

async function renamed(context: ItemContext, item: Item): Promise<Item> {
  for (let number = 2; number < 10_000; number += 1) {
    const key = numberedName(item.key, number);
    const seen = await lookAt(context, key);
    if (seen.kind === 'absent') return saveItem(context, { ...item, key, begun: null, note: 'renamed' });
  }
  throw failure('conflict', 'No free name was found.', { reason: 'name-taken', retry: 'after-fix' });
}

/** A key that may be written and not be looked at leaves it to If-None-Match. */
async function lookAt(context: ItemContext, key: string): Promise<HeadSeen> {
  const { client, job, signal, log } = context;
  const seen = await logged(
    log,
    'head-object',
    () => headOf(client, { bucket: job.bucket, key }, signal),
    (found) => `${found.kind}: ${key}`,
  );
  if (seen.kind === 'unreadable' && (mayPass(seen.error) || seen.error.code !== 'access-denied'))
    throw new AppFailure(seen.error);
  context.deps.conditional.met(job, seen.kind === 'present');
  return seen;
}

async function isSame(
  context: ItemContext,
  file: JobFile,
  small: Small | null,
  seen: Present,
): Promise<boolean> {
  if (seen.sizeBytes !== file.sizeBytes || seen.etag === null || seen.etagIsNotMd5) return false;
  const stored = md5InEtag(seen.etag);
  if (stored === null) return false;
  if (small !== null) return small.md5.toString('hex') === stored;
  const { path: filePath } = file;
  if (filePath === null) return false;
  const request = { path: filePath, offset: 0, sizeBytes: file.sizeBytes, algorithm: null };
  return (await context.deps.hasher.hash(request, context.signal)).md5 === stored;
}

/** A file that goes by one PUT. */
interface Small {
  readonly sizeBytes: number;
  readonly md5: Buffer;
  /** null: it is too large to be held, and read again while it is sent. */
  readonly bytes: Uint8Array | null;
}

function mayAskByPut(small: Small): boolean {
  return small.sizeBytes <= conditionalBytes;
}

/**
 * A small file is read once, in a thread: what is hashed is what is sent. A larger one, where the settings let it go by one PUT
 * all the same, is hashed first; the service checks what comes. One that goes in parts is only looked at.
 */
async function readSmall(
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

async function putFile(context: ItemContext, item: Item, file: JobFile, small: Small): Promise<Item> {
  const attributes = attributesOf(context, item.key, file);
  const content = { md5: small.md5, body: bodyOf(context, file, small) };
  const isFree = await sendWhole(file, small, () => put(context, item, attributes, content));
  if (isFree) {
    if (mayAskByPut(small)) await learnConditional(context, item, attributes, content);
    return settled(item, { state: 'done', sizeBytes: file.sizeBytes, verified: true });
  }
  context.deps.conditional.met(context.job, true);
  // Somebody was quicker, or an earlier try of ours was carried out after all.
  const seen = await lookAt(context, item.key);
  if (seen.kind !== 'present')
    throw failure('conflict', 'The key was taken and is free again.', { reason: 'busy', retry: 'backoff' });
  const next = await decideAgainst(context, item, file, small, seen);
  return next.state === 'todo' ? await putFile(context, next, file, small) : next;
}

/** What was hashed and is read again may have changed in between: then the failure is that, whatever the service makes of it. */
async function sendWhole(file: JobFile, small: Small, send: () => Promise<boolean>): Promise<boolean> {
  try {
    return await send();
  } catch (thrown) {
    if (small.bytes === null) await checkUnchanged(file);
    throw thrown;
  }
}

/** One PUT with its digest. False: something is at the key, and may not be overwritten. */
async function put(
  context: ItemContext,
  item: Item,
  attributes: ObjectAttributes,
  { body, md5 }: { readonly body: BodySource; readonly md5: Buffer },
): Promise<boolean> {
  const { client, job, signal, log } = context;
  const input = {
    bucket: job.bucket,
    key: item.key,
    ...attributes,
    body,
    contentMd5: md5.toString('base64'),
  };
  const send = async (condition: { readonly ifNoneMatch?: '*' }, maxTries?: number): Promise<void> =>
    void (await logged(
      log,
      'put-object',
      () =>
        client.putObject(
          { ...input, ...condition },
          maxTries === undefined ? { signal } : { signal, maxTries },
        ),
      () => item.key,
    ));
  if (policyOf(context, item) === 'overwrite') {
    await send({});
    return true;
  }
  try {
    await send({ ifNoneMatch: '*' });
    return true;
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'conflict' && error.reason === 'precondition-failed') return false;
    if (error.code !== 'unsupported') throw thrown;
    // This service has no conditional writes: a look just before each PUT has to do.
    if (context.deps.conditional.mayAsk(job)) context.deps.conditional.learned(job, 'ignored');
    if ((await lookAt(context, item.key)).kind === 'present') return false;
    await send({}, 1);
    return true;
  }
}

/**
 * The same object once more, only if the key is free: 412 says that the service honours the condition. One that does not
 * has now the same bytes twice at a key that this job has just made.
 */
async function learnConditional(
  context: ItemContext,
  item: Item,
  attributes: ObjectAttributes,
  { body, md5 }: { readonly body: BodySource; readonly md5: Buffer },
): Promise<void> {
  const { client, job, signal, log, deps } = context;
  if (policyOf(context, item) === 'overwrite' || !deps.conditional.shouldLearn(job)) return;
  const input = {
    bucket: job.bucket,
    key: item.key,
    ...attributes,
    body,
    contentMd5: md5.toString('base64'),
    ifNoneMatch: '*',
  } as const;
  try {
    await client.putObject(input, { signal, maxTries: 1 });
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
function bodyOf(context: ItemContext, { path: filePath }: JobFile, { sizeBytes, bytes }: Small): BodySource {
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

/** An empty folder is an empty object whose key ends in the delimiter. */
async function putMarker(context: ItemContext, item: Item): Promise<Item> {
  let names: readonly string[];
  try {
    names = await readdir(item.local);
  } catch (thrown) {
    throw readFailure(
      thrown instanceof Error && 'code' in thrown ? String(thrown.code) : null,
      'The folder cannot be read.',
    );
  }
  if (names.length > 0)
    throw failure('storage', 'There is something in this folder by now. Upload it again.', {
      reason: 'file-changed',
      retry: 'after-fix',
    });
  const seen = await lookAt(context, item.key);
  if (seen.kind === 'present') return settled(item, { state: 'done', note: 'same' });
  const md5 = createHash('md5').digest();
  const attributes = markerAttributes(context.job.upload ?? defaultUploadOptions);
  // A marker that came in between says the same.
  await put(context, item, attributes, { body: { sizeBytes: 0, open: () => new Uint8Array(0) }, md5 });
  return settled(item, { state: 'done', verified: true });
}

async function finishParts(context: ItemContext, item: Item, file: JobFile): Promise<Item> {
  const isAgreed = policyOf(context, item) === 'overwrite';
  const planned = item.sync?.target ?? null;
  const mayReplace = (before: Present): boolean =>
    isAgreed && (planned === null || isAsPlanned(planned, before));
  const { item: next, heldBack } = await continueUpload(
    context,
    item,
    ({ intent }) => intent.before.kind !== 'present' || mayReplace(intent.before),
  );
  if (heldBack === null) return next;
  // Since the beginning something has come to the key: all parts are there, and wait for the user's word.
  const { before } = heldBack.intent;
  if (before.kind !== 'present') return next;
  const policy = policyOf(context, next);
  if (policy === 'skip') return settled(await giveUpParts(context, next), { state: 'skipped' });
  if (policy === 'rename') return { ...(await renamed(context, await giveUpParts(context, next))), dueMs: 0 };
  return asks(next, sideOfFile(file), sideOfObject(before));
}

/** What this job has sent in parts, and the user does not want there: gone from the service too, where it would cost money. */
async function giveUpParts(context: ItemContext, item: Item): Promise<Item> {
  const { client, job, signal, log } = context;
  const { upload } = item;
  const free = saveItem(context, { ...item, upload: null, begun: null, token: null });
  if (upload === null) return free;
  const ref = { bucket: job.bucket, key: item.key, uploadId: upload.uploadId };
  try {
    await logged(
      log,
      'abort',
      () => client.abortMultipartUpload(ref, { signal }),
      () => ref.uploadId,
    );
  } catch {
    // It is in the log. What is left stands among the stalled uploads, where it can be removed.
    signal.throwIfAborted();
  }
  return free;
}

/** By the ETag; by the time where the service names none. */
export function isAsPlanned(planned: Side, seen: Present): boolean {
  if (planned.sizeBytes !== seen.sizeBytes) return false;
  if (planned.etag !== null && seen.etag !== null) return sameEtag(planned.etag, seen.etag);
  return planned.modifiedAt !== null && planned.modifiedAt === seen.lastModified;
}

function attributesOf(context: ItemContext, key: string, file: JobFile): ObjectAttributes {
  return uploadAttributes(context.job.upload ?? defaultUploadOptions, key, file.mtimeNs);
}

function withSize(item: Item, file: JobFile): Item {
  return { ...item, sizeBytes: file.sizeBytes };
}

function sideOfFile(file: JobFile): Side {
  const modifiedAt = new Date(Number(BigInt(file.mtimeNs) / 1_000_000n)).toISOString();
  return { sizeBytes: file.sizeBytes, modifiedAt, etag: null };
}

function sideOfObject(seen: Present): Side {
  return { sizeBytes: seen.sizeBytes, modifiedAt: seen.lastModified, etag: seen.etag };
}
