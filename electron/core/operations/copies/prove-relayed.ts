import { failure } from '../../../../shared/errors.ts';
import { damageFailure } from '../../s3/model/object-proof.ts';
import type { ObjectHead } from '../../s3/model/object-types.ts';
import { saveItem } from '../../transfers/items/item-context.ts';
import type { CopyItem } from '../../transfers/items/transfer-item.ts';
import { forEachScheduled } from '../../flow/part-scheduler.ts';
import { isRelayed, savedItem, type CopyContext } from './copy-context.ts';
import type { CopyPart } from '../../transfers/items/part-size.ts';
import { md5OfSourcePart } from './relay-part.ts';
import type { SourceReader } from './source-reader.ts';
import { abandonParts } from './copy-leftovers.ts';
import { createHash } from 'node:crypto';
import { etagHidesMd5, bareEtag, expectedEtag, md5InEtag } from '../../s3/model/etag.ts';

/**
 * Returns true if an object is copied onto itself. Restoring an older version does not count, because the current version is kept
 * as an older one.
 */
function isOntoItself({ isRelay, job, to }: CopyContext, item: CopyItem): boolean {
  return !isRelay && job.bucket === to.bucket && item.key === item.targetKey && item.versionId === null;
}

/** Returns true if the content of a copy passes through this computer, where it could be damaged. */
export function isItemRelayed(context: CopyContext, item: CopyItem): boolean {
  return isRelayed(context) || isDecodedTwice(item.key);
}

interface Relayed {
  readonly plan: readonly CopyPart[];
  readonly recordsId: string;
  /** The MD5 of the whole object; null unless all parts were read in this run and held in memory. */
  readonly wholeMd5: string | null;
}

/**
 * Verifies the content read from the source, by the source's ETag or by reading it again. Deletes the records of parts that
 * differ, so that the next attempt sends them again, and throws `AppError('damaged')`.
 */
export async function proveRelayed(
  context: CopyContext,
  item: CopyItem,
  source: ObjectHead,
  reader: SourceReader,
  { plan, recordsId, wholeMd5 }: Relayed,
): Promise<void> {
  if (!isItemRelayed(context, item)) return;
  const { parts } = context.deps.uploads;
  const records = parts.all(recordsId);
  // Rewriting an object in place with unverified content could destroy its only good copy.
  if (isOntoItself(context, item) && records.some(({ state }) => state !== 'sent')) {
    saveItem(context, await abandonParts(context, savedItem(context, item)));
    throw failure(
      'unsupported',
      'The bytes pass through this computer, and the service returns nothing that proves them.',
      { reason: 'not-implemented' },
    );
  }
  const md5s = new Map(records.map(({ partNumber, md5 }) => [partNumber, md5]));
  const partMd5s = plan.map(({ partNumber }) => md5s.get(partNumber) ?? null);
  try {
    if (judgeRelayed(source, { wholeMd5, partMd5s }) === 'proved') return;
  } catch (thrown) {
    // It is unknown which part is damaged, so the records of all parts are deleted.
    context.deps.store.transaction(() => parts.clear(recordsId));
    throw thrown;
  }
  const work = { scheduler: context.scheduler, order: item.seq, signal: context.signal };
  await forEachScheduled(plan, work, async (part) => {
    const actualMd5 = await md5OfSourcePart(context, reader, part);
    const expected = md5s.get(part.partNumber) ?? '';
    if (actualMd5 === expected) return;
    context.deps.store.transaction(() => parts.remove(recordsId, part.partNumber));
    throw damageFailure({ what: 'md5', expected, got: actualMd5 });
  });
}

/**
 * Returns true if a service may decode the key twice as the source of UploadPartCopy. For `a%41`, Ceph 16.2.15 would copy `aA`;
 * for `a%b` it crashes. No response reveals this, so such objects pass through this computer.
 */
function isDecodedTwice(key: string): boolean {
  return key.includes('%');
}

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
