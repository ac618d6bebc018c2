import { isSameOrigin, parseBucketOrigin, type BucketOrigin } from '../s3/model/bucket-origin.ts';
import type { Place } from '../../../shared/models/objects.ts';
import type { WalkPlace } from '../walks/walk-source.ts';
import type { CatalogueThread } from './catalogue-thread.ts';
import type { IndexedCatalogue } from './thread/catalogue-index.ts';

interface KnownCataloguesDeps {
  readonly thread: Pick<CatalogueThread, 'ask'>;
  /** Returns the bucket's current origin (endpoint, account, creation time). Catalogues with another origin are ignored. */
  readonly originOf: (place: Place) => Promise<BucketOrigin>;
}

/** The list of the valid catalogues. It is read once, and again after each change. */
export class KnownCatalogues {
  readonly #deps: KnownCataloguesDeps;
  #index: Promise<readonly IndexedCatalogue[]> | null = null;

  constructor(deps: KnownCataloguesDeps) {
    this.#deps = deps;
  }

  async all(): Promise<readonly IndexedCatalogue[]> {
    this.#index ??= this.#deps.thread.ask('index', null);
    try {
      return await this.#index;
    } catch (thrown) {
      this.#index = null;
      throw thrown;
    }
  }

  /** Drops the list after catalogues were added or removed. */
  invalidate(): void {
    this.#index = null;
  }

  /** Returns the catalogues that were read from the bucket's current origin, newest first. */
  async ofBucket(place: Place): Promise<readonly IndexedCatalogue[]> {
    const known = (await this.all()).filter((catalogue) => isInSameBucket(catalogue, place));
    if (known.length === 0) return known;
    const origin = await this.#deps.originOf(place);
    return known.filter((catalogue) => isFromOrigin(catalogue, origin));
  }

  /** Returns the newest catalogue that contains the place; null if there is none. */
  async covering(place: WalkPlace): Promise<IndexedCatalogue | null> {
    const known = await this.ofBucket(place);
    return known.find((catalogue) => place.prefix.startsWith(catalogue.prefix)) ?? null;
  }
}

export function isInSameBucket(place: Place, other: Place): boolean {
  return place.connectionId === other.connectionId && place.bucket === other.bucket;
}

/**
 * Returns true if a catalogue was read from the origin `now`. A catalogue of an earlier version stores no origin; it counts if
 * the bucket is older than the catalogue.
 */
export function isFromOrigin(
  { origin, takenAt }: { readonly origin: string; readonly takenAt: string },
  now: BucketOrigin,
): boolean {
  const before = parseBucketOrigin(origin);
  if (before !== null) return isSameOrigin(before, now);
  return now.createdAt === null || Date.parse(takenAt) >= Date.parse(now.createdAt);
}
