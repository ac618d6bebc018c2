import path from 'node:path';
import { failure } from '../../../shared/errors.ts';
import type { Comparison } from '../../../shared/models/transfers.ts';
import { etagHidesMd5, md5InEtag, sameEtag } from '../s3/model/etag.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import type { LocalSource } from '../disk/fence.ts';
import type { Hasher } from '../disk/hash-pool.ts';
import { objectOf } from './items/item-context.ts';
import { sourceOf, type TransferJob } from './items/transfer-job.ts';
import type { Item } from './items/transfer-item.ts';
import { fitsEtag } from './downloads/verify-file.ts';

interface CompareDeps {
  readonly hasher: Hasher;
  readonly client: S3Client;
}

/**
 * Compares the content of both sides of a conflict by their ETags. Hashes a local file for this (MD5 of the whole file or of its
 * parts). Changes nothing. Throws AppFailure if a side cannot be read.
 */
export async function compareSides(
  deps: CompareDeps,
  job: TransferJob,
  item: Item,
  signal: AbortSignal,
): Promise<Comparison> {
  const { source, target } = item;
  if (source === null || target === null)
    throw failure('conflict', 'No decision is needed any longer.', { reason: 'nothing-asked' });
  if (source.sizeBytes !== null && target.sizeBytes !== null && source.sizeBytes !== target.sizeBytes)
    return 'different';
  const local = localOf(job, item);
  if (local === null) return compareEtags(source.etag, target.etag);
  const head = await deps.client.headObject(objectOf(job, item), { signal });
  const localBytes = (job.kind === 'upload' ? source : target).sizeBytes ?? head.sizeBytes;
  if (head.sizeBytes !== localBytes) return 'different';
  if (head.etag === null || etagHidesMd5(head.headers)) return 'unknown';
  if ((await fitsEtag(deps.hasher, local, localBytes, head.etag, signal)) === true) return 'same';
  if (md5InEtag(head.etag) !== null) return 'different';
  return /-\d{1,5}"?$/.test(head.etag) ? 'likely-different' : 'unknown';
}

/** Returns the item's local file; null if both sides are objects on services. */
function localOf(job: TransferJob, item: Item): LocalSource | null {
  if (item.work === 'upload') return sourceOf(job, item);
  if (item.work !== 'download' || job.folder === null) return null;
  return { path: path.join(job.folder, ...item.localName.split('/')), within: job.folder };
}

function compareEtags(source: string | null, target: string | null): Comparison {
  if (source === null || target === null) return 'unknown';
  if (sameEtag(source, target)) return 'same';
  // If the two objects were uploaded with different part sizes, the same content has different ETags.
  return md5InEtag(source) !== null && md5InEtag(target) !== null ? 'different' : 'unknown';
}
