import { failure, type AppFailure } from '../../../shared/errors.ts';
import { etagHidesMd5 } from '../s3/encrypted-etag.ts';
import type { ObjectHead } from '../s3/types.ts';
import { bareEtag, expectedEtag, md5InEtag } from '../uploads/etag.ts';
import type { Hasher } from '../uploads/hash-pool.ts';
import { slotsFor, partSizesOf } from './part-size.ts';

/** Compares a local file with an ETag. null: the ETag does not tell, as with parts of an unknown size. */
export async function fitsEtag(
  hasher: Hasher,
  filePath: string,
  sizeBytes: number,
  etag: string,
  signal: AbortSignal,
): Promise<boolean | null> {
  const md5 = md5InEtag(etag);
  if (md5 !== null) {
    const request = { path: filePath, offset: 0, sizeBytes, algorithm: null };
    return (await hasher.hash(request, signal)).md5 === md5;
  }
  const parts = /-(\d{1,5})$/.exec(bareEtag(etag))?.[1];
  if (parts === undefined || sizeBytes === 0) return null;
  for (const partSize of partSizesOf(sizeBytes, Number(parts))) {
    const hashes = await Promise.all(
      slotsFor(sizeBytes, partSize).map(
        async (slot) =>
          await hasher.hash(
            { path: filePath, offset: slot.offset, sizeBytes: slot.sizeBytes, algorithm: null },
            signal,
          ),
      ),
    );
    if (expectedEtag(hashes.map((hash) => hash.md5)) === bareEtag(etag)) return true;
  }
  return null;
}

/** Whether bytes with this MD5 are the object's; null: its ETag does not tell. */
export function verdictOn(
  { etag, headers }: Pick<ObjectHead, 'etag' | 'headers'>,
  computed: () => string | undefined,
): boolean | null {
  const md5 = etag !== null && !etagHidesMd5(headers) ? md5InEtag(etag) : null;
  return md5 === null ? null : computed() === md5;
}

export function damaged(): AppFailure {
  return failure('network', 'What came is not what the service has: size or MD5 differ.', {
    reason: 'content-damaged',
    retry: 'backoff',
  });
}
