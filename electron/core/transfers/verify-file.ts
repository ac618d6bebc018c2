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
