import { createHash } from 'node:crypto';
import { open, readdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { AppFailure, failure, toAppError } from '../../../shared/errors.ts';
import {
  defaultMultipartFromBytes,
  defaultUploadOptions,
  type ConflictPolicy,
  type Side,
} from '../../../shared/models/transfers.ts';
import type { BodySource } from '../ports.ts';
import type { ObjectAttributes } from '../s3/types.ts';
import { md5InEtag } from '../uploads/etag.ts';
import { readFailure } from '../uploads/hash-pool.ts';
import { checkUnchanged, lookAtFile } from '../uploads/local-file.ts';
import { headOf, logged } from '../uploads/look.ts';
import { mayPass, type HeadSeen } from '../uploads/verify-outcome.ts';
import type { JobFile } from '../uploads/upload-job.ts';
import { contentTypeOf } from './content-type.ts';
import { asks, saveItem, settled, type ItemContext } from './item-context.ts';
import { mtimeName, mtimeText } from './mtime.ts';
import { beginUpload, continueUpload } from './multipart.ts';
import { numberedName } from './names.ts';
import type { Item } from './transfer-job.ts';

type Present = HeadSeen & { readonly kind: 'present' };

/** Sends one file, or one folder's marker. What comes back is what became of the item; it is not written yet. */
export async function uploadItem(context: ItemContext, item: Item): Promise<Item> {
  if (item.kind === 'folder') return await putMarker(context, item);
  const file = await lookAtFile(item.local);
  const fromBytes = context.job.upload?.multipartFromBytes ?? defaultMultipartFromBytes;
  if (item.upload !== null) return await finishParts(context, item, file);
  const small = file.sizeBytes < fromBytes ? await readWhole(file) : null;
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
    if (seen.kind === 'absent') return saveItem(context, { ...item, key, note: 'renamed' });
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

interface Small {
  readonly bytes: Buffer;
  readonly md5: Buffer;
}

/** Reads a small file once: what is hashed is what is sent. */
async function readWhole(file: JobFile): Promise<Small> {
  if (file.path === null) throw readFailure('ENOENT', '');
  const bytes = Buffer.allocUnsafe(file.sizeBytes);
  try {
    const handle = await open(file.path, 'r');
    try {
      let filled = 0;
      while (filled < bytes.byteLength) {
        const { bytesRead } = await handle.read(bytes, filled, bytes.byteLength - filled, filled);
        if (bytesRead === 0) throw readFailure('SHORT', '');
        filled += bytesRead;
      }
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    if (thrown instanceof AppFailure || !(thrown instanceof Error) || !('code' in thrown)) throw thrown;
    throw readFailure(String(thrown.code), thrown.message);
  }
  await checkUnchanged(file);
  return { bytes, md5: createHash('md5').update(bytes).digest() };
}

async function putFile(context: ItemContext, item: Item, file: JobFile, small: Small): Promise<Item> {
  const attributes = attributesOf(context, item.key, file);
  const isFree = await put(context, item, attributes, small.bytes, small.md5);
  if (isFree) return settled(item, { state: 'done', sizeBytes: file.sizeBytes, verified: true });
  // Somebody was quicker, or an earlier try of ours was carried out after all.
  const seen = await lookAt(context, item.key);
  if (seen.kind !== 'present')
    throw failure('conflict', 'The key was taken and is free again.', { reason: 'busy', retry: 'backoff' });
  const next = await decideAgainst(context, item, file, small, seen);
  return next.state === 'todo' ? await putFile(context, next, file, small) : next;
}

/** One PUT with its digest. False: something is at the key, and may not be overwritten. */
async function put(
  context: ItemContext,
  item: Item,
  attributes: ObjectAttributes,
  bytes: Uint8Array,
  md5: Buffer,
): Promise<boolean> {
  const { client, job, signal, log } = context;
  const input = {
    bucket: job.bucket,
    key: item.key,
    ...attributes,
    body: bodyOf(context, bytes),
    contentMd5: md5.toString('base64'),
  };
  const send = async (onlyNew: boolean): Promise<void> =>
    void (await logged(
      log,
      'put-object',
      () => client.putObject(onlyNew ? { ...input, ifNoneMatch: '*' } : input, { signal }),
      () => item.key,
    ));
  if (policyOf(context, item) === 'overwrite') {
    await send(false);
    return true;
  }
  try {
    await send(true);
    return true;
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'conflict' && error.reason === 'precondition-failed') return false;
    if (error.code !== 'unsupported') throw thrown;
    // This service has no conditional writes: the look before has to do.
    await send(false);
    return true;
  }
}

const chunkBytes = 256 * 1024;

function bodyOf(context: ItemContext, bytes: Uint8Array): BodySource {
  return {
    sizeBytes: bytes.byteLength,
    open: () => {
      if (context.deps.settings().bandwidthBytesPerSecond === null || bytes.byteLength === 0) return bytes;
      return Readable.from(slowly(context, bytes), { objectMode: false });
    },
  };
}

async function* slowly(context: ItemContext, bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += chunkBytes) {
    const chunk = bytes.subarray(start, start + chunkBytes);
    await context.limiter.take(chunk.byteLength);
    context.onBytes(start + chunk.byteLength);
    yield chunk;
  }
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
  const attributes: ObjectAttributes = { contentType: 'application/x-directory' };
  // A marker that came in between says the same.
  await put(context, item, attributes, new Uint8Array(0), md5);
  return settled(item, { state: 'done', verified: true });
}

async function finishParts(context: ItemContext, item: Item, file: JobFile): Promise<Item> {
  const mayReplace = policyOf(context, item) === 'overwrite';
  const { item: next, heldBack } = await continueUpload(
    context,
    item,
    ({ intent }) => mayReplace || intent.before.kind !== 'present',
  );
  if (heldBack === null) return next;
  // Since the beginning something has come to the key: all parts are there, and wait for the user's word.
  const { before } = heldBack.intent;
  if (before.kind !== 'present') return next;
  const policy = policyOf(context, next);
  if (policy === 'skip') return settled(next, { state: 'skipped' });
  if (policy === 'rename') {
    const other = await renamed(context, { ...next, upload: null, begun: null, token: null });
    return { ...other, dueMs: 0 };
  }
  return asks(next, sideOfFile(file), sideOfObject(before));
}

function attributesOf(context: ItemContext, key: string, file: JobFile): ObjectAttributes {
  const options = context.job.upload ?? defaultUploadOptions;
  return {
    contentType: options.contentType ?? contentTypeOf(key),
    ...(options.cacheControl === null ? {} : { cacheControl: options.cacheControl }),
    ...(options.storageClass === null ? {} : { storageClass: options.storageClass }),
    metadata: { [mtimeName]: mtimeText(BigInt(file.mtimeNs)), ...options.metadata },
  };
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
