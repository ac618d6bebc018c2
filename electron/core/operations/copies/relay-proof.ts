import { createHash } from 'node:crypto';
import { damageFailure } from '../../s3/model/damage.ts';
import { etagHidesMd5 } from '../../s3/model/encrypted-etag.ts';
import type { ObjectHead } from '../../s3/model/object-types.ts';
import { bareEtag, expectedEtag, md5InEtag } from '../../s3/model/multipart-etag.ts';

/**
 * The MD5 of a whole object whose parts come in any order: a part that is early waits for those before it, so that no more is
 * held in memory than the parts that are under way.
 */
export class OrderedMd5 {
  readonly #hash = createHash('md5');
  readonly #added: readonly PromiseWithResolvers<void>[];

  constructor(parts: number) {
    this.#added = Array.from({ length: parts }, () => Promise.withResolvers<void>());
    // Whoever waits hears of a failure; where nobody waits it is no failure of its own.
    for (const { promise } of this.#added) promise.catch(() => undefined);
  }

  /** Resolves when the part, by its index, has been hashed; rejects where an earlier one has failed. */
  async add(index: number, bytes: Uint8Array): Promise<void> {
    await this.#added[index - 1]?.promise;
    this.#hash.update(bytes);
    this.#added[index]?.resolve();
  }

  /** A part will not come: nobody waits for it any longer. */
  fail(reason: unknown): void {
    for (const { reject } of this.#added) reject(reason);
  }

  /** In hex, once every part was added. */
  digest(): string {
    return this.#hash.digest('hex');
  }
}

/** Whether what passed through this computer is what the source holds, as far as the source's own ETag tells. */
export type RelayVerdict = 'proved' | 'unknown';

/**
 * Compares the bytes that came with the source's ETag: the MD5 of the whole, or that of its parts where they were cut alike.
 * Throws `damaged` where the MD5 of the whole differs. `unknown`: the ETag does not tell, and the source has to be read twice.
 */
export function judgeRelayed(
  source: Pick<ObjectHead, 'etag' | 'headers'>,
  came: { readonly wholeMd5: string | null; readonly partMd5s: readonly (string | null)[] },
): RelayVerdict {
  if (source.etag === null || etagHidesMd5(source.headers)) return 'unknown';
  const expected = md5InEtag(source.etag);
  if (expected !== null && came.wholeMd5 !== null) {
    if (expected !== came.wholeMd5) throw damageFailure({ what: 'md5', expected, got: came.wholeMd5 });
    return 'proved';
  }
  // Another ETag does not mean other bytes: the source may be cut at other places.
  return expectedEtag(came.partMd5s) === bareEtag(source.etag) ? 'proved' : 'unknown';
}
