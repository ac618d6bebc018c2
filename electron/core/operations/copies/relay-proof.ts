import { createHash } from 'node:crypto';
import { damageFailure } from '../../s3/model/object-proof.ts';
import { etagHidesMd5, bareEtag, expectedEtag, md5InEtag } from '../../s3/model/etag.ts';
import type { ObjectHead } from '../../s3/model/object-types.ts';

/**
 * Computes the MD5 of an object whose parts arrive in any order. Each part waits until all parts before it are hashed, so only
 * parts in flight are held in memory.
 */
export class OrderedMd5 {
  readonly #hash = createHash('md5');
  readonly #added: readonly PromiseWithResolvers<void>[];

  constructor(parts: number) {
    this.#added = Array.from({ length: parts }, () => Promise.withResolvers<void>());
    // `add` reports a failure. If no `add` awaits this promise, its rejection must not count as unhandled.
    for (const { promise } of this.#added) promise.catch(() => undefined);
  }

  /** Hashes the part with this index after all parts before it. Rejects if an earlier part failed. */
  async add(index: number, bytes: Uint8Array): Promise<void> {
    await this.#added[index - 1]?.promise;
    this.#hash.update(bytes);
    this.#added[index]?.resolve();
  }

  /** Rejects all parts that wait to be hashed, because one part failed. */
  fail(reason: unknown): void {
    for (const { reject } of this.#added) reject(reason);
  }

  /** Returns the MD5 in hex. All parts must have been added. */
  digest(): string {
    return this.#hash.digest('hex');
  }
}

/** The result of comparing content with the source's ETag; `unknown` if the ETag cannot verify it. */
export type RelayVerdict = 'proved' | 'unknown';

/**
 * Compares the content read from the source with the source's ETag, an MD5 of the whole or of its parts. Throws
 * `AppError('damaged')` if the MD5 of the whole differs. Returns `unknown` if the ETag cannot verify the content; the source must
 * then be read twice.
 */
export function judgeRelayed(
  source: Pick<ObjectHead, 'etag' | 'headers'>,
  relayed: { readonly wholeMd5: string | null; readonly partMd5s: readonly (string | null)[] },
): RelayVerdict {
  if (source.etag === null || etagHidesMd5(source.headers)) return 'unknown';
  const expected = md5InEtag(source.etag);
  if (expected !== null && relayed.wholeMd5 !== null) {
    if (expected !== relayed.wholeMd5) throw damageFailure({ what: 'md5', expected, got: relayed.wholeMd5 });
    return 'proved';
  }
  // A different ETag does not mean different content, because the source may have been divided into other parts.
  return expectedEtag(relayed.partMd5s) === bareEtag(source.etag) ? 'proved' : 'unknown';
}
