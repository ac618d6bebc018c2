import { failure, toAppError } from '../../../shared/errors.ts';
import type { Ports } from '../ports.ts';
import { isSameOrigin, printOrigin, type BucketOrigin } from '../s3/model/bucket-origin.ts';
import type { Place } from '../../../shared/models/objects.ts';
import type { WalkPlace } from '../walks/walk-source.ts';
import type { Walks } from '../walks/walks.ts';
import type { CatalogueThread } from './catalogue-thread.ts';
import { isInSameBucket, type KnownCatalogues } from './known-catalogues.ts';
import { keysPerPage, OpenMap } from './open-map.ts';
import type { IndexedCatalogue } from './thread/catalogue-index.ts';

interface OpenMapsDeps {
  readonly ports: Pick<Ports, 'clock' | 'random' | 'logger'>;
  readonly thread: CatalogueThread;
  readonly catalogues: KnownCatalogues;
  readonly walks: Pick<Walks, 'listKeys'>;
  readonly originOf: (place: Place) => Promise<BucketOrigin>;
  readonly limitBytes: () => number;
}

/** The age from which a catalogue is refreshed automatically, in milliseconds. */
const oldAfterMs = 5 * 60_000;
/** A refresh that needs more requests than this costs time and money, so it starts only at the user's request. */
const maxAutoRefreshRequests = 1000;
/**
 * The maximum number of maps in memory. Above it, the least recently used maps are dropped; their catalogues can be loaded again.
 */
const maxOpenMaps = 4;

/** The maps in memory. Loads them from catalogues, and drops those that were not used for longest. */
export class OpenMaps {
  readonly #deps: OpenMapsDeps;
  /** The maps by id, the least recently used first. */
  readonly #maps = new Map<string, OpenMap>();
  /** The maps being loaded, by catalogue. They are not in `#maps` yet, so no caller gets a map without its data. */
  readonly #opening = new Map<string, Promise<OpenMap>>();
  /** The number of calls of `closeAll`. A map whose opening began before the last one may be outdated. */
  #closings = 0;

  constructor(deps: OpenMapsDeps) {
    this.#deps = deps;
  }

  /** Returns an open map. Throws `AppError('not-found')` if it was closed. */
  get(mapId: string): OpenMap {
    const openMap = this.#maps.get(mapId);
    if (openMap !== undefined) return openMap;
    throw failure('not-found', 'This map no longer exists. Open it again.', {
      reason: 'map-gone',
      retry: 'after-fix',
    });
  }

  /** Makes a map the most recently used one. A closed map stays closed. */
  use(openMap: OpenMap): void {
    if (this.#maps.delete(openMap.mapId)) this.#maps.set(openMap.mapId, openMap);
  }

  /**
   * Returns the open map of a place. Windows that open the same place at the same time share one. If the maps of a connection are
   * closed meanwhile, starts again.
   */
  async at(place: WalkPlace): Promise<OpenMap> {
    const closings = this.#closings;
    const origin = await this.#originFor(place);
    const newestCatalogue = await this.#deps.catalogues.covering(place);
    if (closings !== this.#closings) return await this.at(place);
    const open = newestOf(
      [...this.#maps.values()].filter(
        (openMap) => isInSameBucket(openMap.place, place) && place.prefix.startsWith(openMap.place.prefix),
      ),
    );
    // A map from an older report must not hide a newer catalogue.
    if (
      open !== null &&
      (newestCatalogue === null || open.takenAt === null || open.takenAt >= newestCatalogue.takenAt)
    )
      return open;
    if (newestCatalogue === null) return this.#register(this.#make(place, origin));
    const name = JSON.stringify([closings, newestCatalogue.catalogueId, printOrigin(origin)]);
    const begun =
      this.#opening.get(name) ??
      this.#fromCatalogue(newestCatalogue, origin, closings).finally(() => this.#opening.delete(name));
    this.#opening.set(name, begun);
    const opened = await begun;
    return opened.isClosed ? await this.at(place) : opened;
  }

  /** Returns the map of exactly this place that a report taken at this time may replace. A map with newer keys is kept. */
  async forReport(place: WalkPlace, takenAt: string): Promise<OpenMap> {
    const closings = this.#closings;
    const origin = await this.#originFor(place);
    if (closings !== this.#closings) return await this.forReport(place, takenAt);
    const open = [...this.#maps.values()].findLast(
      (candidate) =>
        isInSameBucket(candidate.place, place) &&
        candidate.place.prefix === place.prefix &&
        (candidate.takenAt === null || candidate.takenAt <= takenAt),
    );
    return open ?? this.#register(this.#make(place, origin));
  }

  async isOld(openMap: OpenMap): Promise<boolean> {
    const { takenAt } = openMap;
    // A map from an inventory report is never refreshed automatically by listing the bucket.
    if (openMap.origin === 'inventory') return false;
    if (takenAt === null || this.#deps.ports.clock.nowMs() - Date.parse(takenAt) < oldAfterMs) return false;
    const ofBucket = await this.#deps.catalogues.ofBucket(openMap.place);
    const known = ofBucket.find((catalogue) => catalogue.takenAt === takenAt);
    // Without a catalogue, because it was too large or none is kept, the listed objects tell how many requests it takes.
    const requests = known?.requests ?? Math.ceil(openMap.status().objects / keysPerPage);
    return requests <= maxAutoRefreshRequests;
  }

  /** Refreshes the open map of a place if it was loaded from an old catalogue. */
  async refreshOld(place: WalkPlace): Promise<void> {
    try {
      const openMap = await this.at(place);
      if (await this.isOld(openMap)) openMap.refresh();
    } catch (thrown) {
      this.#deps.ports.logger.warn('Could not rebuild a catalogue.', { err: thrown });
    }
  }

  async close(openMap: OpenMap): Promise<void> {
    this.#maps.delete(openMap.mapId);
    await openMap.close();
  }

  /** Closes the maps of a bucket, or of all buckets of the connection if `bucket` is null. */
  async closeAll(connectionId: string, bucket: string | null): Promise<void> {
    this.#closings += 1;
    const closedMaps = [...this.#maps.values()].filter(
      ({ place }) => place.connectionId === connectionId && (bucket === null || place.bucket === bucket),
    );
    await Promise.all(closedMaps.map(async (openMap) => await this.close(openMap)));
  }

  /** Stops all maps, because the program ends. */
  shutDown(): void {
    const open = [...this.#maps.values()];
    this.#maps.clear();
    for (const openMap of open) openMap.stop();
  }

  #make(place: WalkPlace, bucketOrigin: BucketOrigin): OpenMap {
    const { ports, thread, walks, limitBytes, catalogues } = this.#deps;
    return new OpenMap(ports.random.id(), place, {
      clock: ports.clock,
      logger: ports.logger,
      thread,
      newId: () => ports.random.id(),
      walk: (where, sink) => walks.listKeys(where, sink),
      limitBytes,
      bucketOrigin,
      onCatalogues: () => catalogues.invalidate(),
    });
  }

  /**
   * Adds a new map. Closes the least recently used ones above the limit, but none that a window would reopen by listing all keys
   * again.
   */
  #register(openMap: OpenMap): OpenMap {
    this.#maps.set(openMap.mapId, openMap);
    for (const old of this.#maps.values()) {
      if (this.#maps.size <= maxOpenMaps) break;
      if (old !== openMap && !old.isWalking && !old.isNeeded) void this.close(old);
    }
    return openMap;
  }

  /**
   * Opens a map from a catalogue. Returns a closed map if `closeAll` was called meanwhile, or if the catalogue cannot be read and
   * was removed.
   */
  async #fromCatalogue(known: IndexedCatalogue, origin: BucketOrigin, closings: number): Promise<OpenMap> {
    const { connectionId, bucket, prefix } = known;
    const openMap = this.#make({ connectionId, bucket, prefix }, origin);
    try {
      await openMap.show(known);
      if (closings === this.#closings) return this.#register(openMap);
    } catch (thrown) {
      if (toAppError(thrown).reason !== 'catalogue-gone') throw thrown;
      this.#deps.ports.logger.warn('Could not read a catalogue; it was removed.', { bucket });
    }
    await openMap.close();
    return openMap;
  }

  /** Returns the current origin of a place. Closes maps that were read from an earlier origin. */
  async #originFor(place: WalkPlace): Promise<BucketOrigin> {
    const origin = await this.#deps.originOf(place);
    const outdatedMaps = [...this.#maps.values()].filter(
      (openMap) => isInSameBucket(openMap.place, place) && !isSameOrigin(openMap.bucketOrigin, origin),
    );
    await Promise.all(outdatedMaps.map(async (openMap) => await this.close(openMap)));
    return origin;
  }
}

/** Returns the open map with the latest data. A map without data counts as newest. Among equals, returns the one opened last. */
function newestOf(openMaps: readonly OpenMap[]): OpenMap | null {
  return openMaps.reduce<OpenMap | null>(
    (newest, openMap) =>
      newest === null || (openMap.takenAt ?? '~') >= (newest.takenAt ?? '~') ? openMap : newest,
    null,
  );
}
