import type { FileHandle } from 'node:fs/promises';
import { getExactly } from '../../s3/conditions/conditional.ts';
import type { WantedObject } from '../../s3/model/seen.ts';
import type { GetObjectInput, GetObjectOutput, ObjectHead } from '../../s3/model/object-types.ts';
import { markUnnamed } from '../../disk/downloaded-mark.ts';
import { failedAttempt, logged } from '../../jobs/log-request.ts';
import { localFileFailure, objectOf, type ItemContext } from '../items/item-context.ts';
import { mtimeName, secondsOfMtime } from '../items/mtime.ts';
import type { DownloadItem } from '../items/transfer-job.ts';
import { requireFit, type FileVerdict } from './verify-file.ts';

/** The properties of a fetched object. */
export interface Came {
  readonly sizeBytes: number;
  readonly etag: string | null;
  readonly seconds: number | null;
  /** false: it is not what the service describes, and the user wants it all the same. */
  readonly verified: boolean | null;
  /** A small one, which is not on disk yet. */
  readonly bytes: Uint8Array | null;
}

export interface Fetched {
  readonly item: DownloadItem;
  readonly came: Came;
}

/** GetObject of the item, if it is what is wanted: the whole, or a range, logged with each place where the connection broke. */
export async function getObject(
  context: ItemContext,
  item: DownloadItem,
  input: Pick<GetObjectInput, 'range' | 'sizeBytes' | 'checksums'>,
  wanted: WantedObject,
): Promise<GetObjectOutput> {
  const { client, job, signal, log } = context;
  const { range } = input;
  const what = range === undefined ? item.key : `${item.key}, bytes ${range.firstByte} to ${range.lastByte}`;
  return await logged(
    log,
    'get-object',
    () =>
      getExactly(client, { ...objectOf(job, item), ...input }, wanted, {
        signal,
        onBroken: (error, reachedBytes) =>
          log({
            ...failedAttempt('get-object', null, error),
            note: `goes on at byte ${(range?.firstByte ?? 0) + reachedBytes}: ${item.key}`,
          }),
      }),
    () => what,
  );
}

export async function headSource(context: ItemContext, item: DownloadItem): Promise<ObjectHead> {
  const { client, job, signal } = context;
  return await client.headObject({ ...objectOf(job, item), checksums: true }, { signal });
}

/** Acts on the verdict about received bytes; throws `damaged` unless the user keeps them anyway. */
export function verifiedBy(item: DownloadItem, verdict: FileVerdict): boolean | null {
  return item.unverified === null ? requireFit(verdict) : verdict === true;
}

/** The time of the file, as it travels in the metadata, else of the object. */
export function secondsIn(head: Pick<ObjectHead, 'metadata' | 'lastModified'>): number | null {
  const own = secondsOfMtime(head.metadata[mtimeName]);
  if (own !== null) return own;
  const ms = head.lastModified === null ? Number.NaN : Date.parse(head.lastModified);
  return Number.isNaN(ms) ? null : ms / 1000;
}

/** Gives a finished file the mark of a download and its time, and syncs it. */
export async function dress(
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
