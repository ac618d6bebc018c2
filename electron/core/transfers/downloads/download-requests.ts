import type { FileHandle } from 'node:fs/promises';
import { getExactly } from '../../s3/conditions/conditional.ts';
import { lengthDiffers, type RequestedObject } from '../../s3/model/object-proof.ts';
import type { GetObjectInput, GetObjectOutput, ObjectHead } from '../../s3/model/object-types.ts';
import { markUnnamed } from '../../disk/downloaded-mark.ts';
import { failedAttempt, logged } from '../../jobs/log-request.ts';
import { localFileFailure } from '../../disk/disk-failure.ts';
import { objectOf, type ItemContext } from '../items/item-context.ts';
import { mtimeName, secondsOfMtime } from '../items/mtime.ts';
import type { DownloadItem } from '../items/transfer-item.ts';
import { requireFit, type FileVerdict } from './verify-file.ts';

/** The properties of a fetched object. */
export interface ReceivedObject {
  readonly sizeBytes: number;
  readonly etag: string | null;
  readonly seconds: number | null;
  /**
   * True if verified; null if the service reports nothing to verify it with; false if it is damaged and the user keeps it anyway.
   */
  readonly verified: boolean | null;
  /** The content of a small object that is not on disk yet; null for other objects. */
  readonly bytes: Uint8Array | null;
}

export interface Fetched {
  readonly item: DownloadItem;
  readonly received: ReceivedObject;
}

/**
 * Sends GetObject for the whole object or a range, and checks that the response is for the expected object. Logs the offset
 * whenever the connection breaks.
 */
export async function getObject(
  context: ItemContext,
  item: DownloadItem,
  input: Pick<GetObjectInput, 'range' | 'sizeBytes' | 'checksums'>,
  expectedObject: RequestedObject,
): Promise<GetObjectOutput> {
  const { client, job, signal, log } = context;
  const { range } = input;
  const subject =
    range === undefined ? item.key : `${item.key}, bytes ${range.firstByte} to ${range.lastByte}`;
  return await logged(
    log,
    'get-object',
    () =>
      getExactly(client, { ...objectOf(job, item), ...input }, expectedObject, {
        signal,
        onBroken: (error, reachedBytes) =>
          log({
            ...failedAttempt('get-object', null, error),
            note: `resumes at byte ${(range?.firstByte ?? 0) + reachedBytes}: ${item.key}`,
          }),
      }),
    subject,
  );
}

/**
 * Requires that the announced length is the expected one, because some proxies return only a part of an object. Closes the
 * response and throws `damaged` if the lengths differ; null for an unknown length.
 */
export function requireLength(
  reply: Pick<GetObjectOutput, 'body' | 'sizeBytes'>,
  expectedBytes: number | null,
): void {
  // Leaves `body` alone, since reading it makes a stream of it.
  const { sizeBytes } = reply;
  if (expectedBytes === null || sizeBytes === null || sizeBytes === expectedBytes) return;
  reply.body.destroy();
  throw lengthDiffers(expectedBytes, sizeBytes);
}

export async function headSource(context: ItemContext, item: DownloadItem): Promise<ObjectHead> {
  const { client, job, signal } = context;
  return await client.headObject({ ...objectOf(job, item), checksums: true }, { signal });
}

/**
 * Returns whether the received content is verified (see `ReceivedObject`). Throws `damaged` if it is damaged, unless the user
 * keeps it anyway.
 */
export function verifiedBy(item: DownloadItem, verdict: FileVerdict): boolean | null {
  return item.unverified === null ? requireFit(verdict) : verdict === true;
}

/**
 * Returns the modification time in seconds: from the object's metadata if Cooper or rclone stored it there, otherwise
 * Last-Modified.
 */
export function secondsIn(head: Pick<ObjectHead, 'metadata' | 'lastModified'>): number | null {
  const seconds = secondsOfMtime(head.metadata[mtimeName]);
  if (seconds !== null) return seconds;
  const ms = head.lastModified === null ? Number.NaN : Date.parse(head.lastModified);
  return Number.isNaN(ms) ? null : ms / 1000;
}

/**
 * Prepares a finished file: sets its modification time, marks it as downloaded for the operating system, and flushes it to disk.
 * Throws `AppError('storage')`.
 */
export async function setFileAttributes(
  part: string,
  handle: FileHandle,
  head: Pick<ObjectHead, 'metadata' | 'lastModified'>,
): Promise<void> {
  const seconds = secondsIn(head);
  try {
    markUnnamed(part);
    if (seconds !== null) await handle.utimes(seconds, seconds);
    await handle.sync();
  } catch (thrown) {
    throw localFileFailure(thrown);
  }
}
