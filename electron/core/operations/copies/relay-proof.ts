import { createHash } from 'node:crypto';
import { damageFailure } from '../../s3/model/damage.ts';
import { etagHidesMd5 } from '../../s3/model/encrypted-etag.ts';
import type { ObjectHead } from '../../s3/model/object-types.ts';
import { bareEtag, expectedEtag, md5InEtag } from '../../s3/model/multipart-etag.ts';

/**
 * Computes the MD5 of a whole object whose parts arrive in any order. An early part waits for those before it, so no more than
 * the parts in flight are held in memory.
 */
export class OrderedMd5 {
  readonly #hash = createHash('md5');
  readonly #added: readonly PromiseWithResolvers<void>[];

  constructor(parts: number) {
    this.#added = Array.from({ length: parts }, () => Promise.withResolvers<void>());
    // `add` reports a failure. Without a waiter it must not become an unhandled rejection.
    for (const { promise } of this.#added) promise.catch(() => undefined);
  }

  /** Resolves when the part, by its index, has been hashed; rejects where an earlier one has failed. */
  async add(index: number, bytes: Uint8Array): Promise<void> {
    await this.#added[index - 1]?.promise;
    this.#hash.update(bytes);
    this.#added[index]?.resolve();
  }

  /** Rejects all pending parts: one of them failed. */
  fail(reason: unknown): void {
    for (const { reject } of this.#added) reject(reason);
  }

  /** Returns the MD5 in hex, once every part was added. */
  digest(): string {
    return this.#hash.digest('hex');
  }
}

/** The verdict on relayed bytes, as far as the source's ETag proves them. */
export type RelayVerdict = 'proved' | 'unknown';

/**
 * Compares the bytes read with the source's ETag: the MD5 of the whole, or that of its parts if cut alike. Throws
 * AppError('damaged') if the MD5 of the whole differs. Returns `unknown` if the ETag proves nothing and the source must
 * be read twice.
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
  // A different ETag does not mean different bytes: the source may have other part boundaries.
  return expectedEtag(relayed.partMd5s) === bareEtag(source.etag) ? 'proved' : 'unknown';
}
