import { failure, toAppError } from '../../../shared/errors.ts';
import {
  everyKind,
  type BucketTotals,
  type CatalogueList,
  type Changes,
  type Duplicates,
  type FoundNames,
  type MapFacts,
  type MapRows,
  type MapTree,
  type MapStatus,
} from '../../../shared/models/map.ts';
import type { Holding, SmallestSize } from '../../../shared/models/prices.ts';
import type { WalkExport, WalkQuery } from '../../../shared/models/walks.ts';
import type { Ports } from '../ports.ts';
import type { WalkExports } from '../walks/exports.ts';
import {
  isSameOrigin,
  parseBucketOrigin,
  printOrigin,
  type BucketOrigin,
} from '../s3/model/bucket-origin.ts';
import type { FoundKeys, KeptKeys, WalkPlace } from '../walks/walk-source.ts';
import type { Walks } from '../walks/walks.ts';
import { createCatalogueThread } from './catalogue-thread.ts';
import { findNames } from './find-names.ts';
import { OpenMap, type ReportSource } from './open-map.ts';
import type { CatalogueCalls, IndexedCatalogue } from './thread/catalogue-messages.ts';

export interface MapsDeps {
  readonly ports: Pick<Ports, 'clock' | 'random' | 'logger'>;
  /** The folder that contains the catalogues. */
  readonly dir: string;
  readonly walks: Pick<Walks, 'listKeys'>;
  /** Returns the bucket's current origin (endpoint, account, creation time). Catalogues with another origin are ignored. */
  readonly originOf: (place: BucketPlace) => Promise<BucketOrigin>;
  /** Returns a connection's endpoint and account, without a request; null if the connection does not exist. */
  readonly accountOf: (connectionId: string) => Promise<Omit<BucketOrigin, 'createdAt'> | null>;
  readonly exports: Pick<WalkExports, 'run'>;
  /** The disk limit for all catalogues together, in bytes; 0 keeps none. */
  readonly limitBytes: () => number;
}

type Refresh = 'never' | 'old' | 'always';
type Asked<C extends 'tree' | 'rows' | 'facts' | 'holdings'> = Omit<CatalogueCalls[C]['input'], 'sumsId'> & {
  readonly mapId: string;
};
interface BucketPlace {
  readonly connectionId: string;
  readonly bucket: string;
}

/** Holds the maps of buckets, and the catalogues from which they are loaded. */
export interface Maps {
  open(place: WalkPlace, refresh: Refresh): Promise<string>;
  /** Reads an inventory report into the map of a place. The previous map stays visible until the whole report is read. */
  read(place: WalkPlace, report: ReportSource): Promise<string>;
  watch(mapId: string, signal: AbortSignal): AsyncGenerator<MapStatus, void, void>;
  tree(wish: Asked<'tree'>): Promise<MapTree>;
  rows(wish: Asked<'rows'>): Promise<MapRows>;
  facts(wish: Asked<'facts'>): Promise<MapFacts>;
  holdings(wish: Asked<'holdings'>): Promise<Holding[]>;
  /**
   * Returns the holdings of folders from the newest catalogue that contains them; null if no catalogue does, or a folder is
   * missing.
   */
  holdingsOf(
    place: WalkPlace,
    folders: readonly string[],
    smallest: readonly SmallestSize[],
  ): Promise<{ takenAt: string; holdings: Holding[] } | null>;
  duplicates(mapId: string, folder: string): Promise<Duplicates>;
  export(
    wish: {
      readonly mapId: string;
      readonly folder: string;
      readonly format: 'csv' | 'csv-bom' | 'json';
      readonly title: string;
    },
    signal: AbortSignal,
  ): Promise<WalkExport>;
  stop(mapId: string): void;
  close(mapId: string): Promise<void>;
  list(place: BucketPlace): Promise<CatalogueList>;
  totals(connectionId: string): Promise<BucketTotals[]>;
  sizes(
    place: WalkPlace,
    folders: readonly string[],
  ): Promise<{ takenAt: string; sums: ({ objects: number; sizeBytes: number } | null)[] } | null>;
  /** Finds objects and folders in all catalogues by words of their names. Matches in the place `near` come first. */
  find(
    wish: { readonly text: string; readonly near: BucketPlace | null },
    signal: AbortSignal,
  ): AsyncGenerator<FoundNames, void, void>;
  changes(
    wish: BucketPlace & { readonly beforeId: string; readonly afterId: string; readonly folder: string },
  ): Promise<Changes>;
  /** Deletes the catalogues of a bucket, or of all buckets of the connection if `bucket` is null. */
  forget(connectionId: string, bucket: string | null): Promise<void>;
  /** Closes the maps of a connection after a change, because it may now lead to another service. */
  connectionChanged(connectionId: string): Promise<void>;
  usage(): Promise<{ catalogues: number; fileBytes: number }>;
  /** Returns the stored keys from the newest catalogue that covers a place; null if there is no such catalogue. */
  keptKeys(place: WalkPlace): Promise<KeptKeys | null>;
  /** Deletes the catalogues that exceed the disk limit, after the limit was changed. */
  makeRoom(): Promise<void>;
  shutDown(): Promise<void>;
}

const watchEveryMs = 250;
/** The age from which a catalogue is refreshed automatically, in milliseconds. */
const oldAfterMs = 5 * 60_000;
/** A refresh that needs more requests than this costs time and money, so it starts only at the user's request. */
const maxRequestsUnasked = 1000;
const foldersPerPiece = 2000;
/**
 * The maximum number of maps in memory. Above it, the least recently used maps are dropped; their catalogues can be loaded again.
 */
const maxOpenMaps = 4;

export function createMaps(deps: MapsDeps): Maps {
  const { clock, random, logger } = deps.ports;
  const thread = createCatalogueThread(deps.dir);
  /** The maps in memory by id, the least recently used first. */
  const openMaps = new Map<string, OpenMap>();
  let index: Promise<readonly IndexedCatalogue[]> | null = null;

  const catalogues = async (): Promise<readonly IndexedCatalogue[]> => {
    index ??= thread.ask('index', null);
    try {
      return await index;
    } catch (thrown) {
      index = null;
      throw thrown;
    }
  };
  const forgetIndex = (): void => {
    index = null;
  };

  /** Returns the catalogues that were read from the bucket's current origin, newest first. */
  const ofBucket = async (place: BucketPlace): Promise<readonly IndexedCatalogue[]> => {
    const known = (await catalogues()).filter((catalogue) => isAt(catalogue, place));
    if (known.length === 0) return known;
    const origin = await deps.originOf(place);
    return known.filter((catalogue) => isOf(catalogue, origin));
  };

  const covering = async (place: WalkPlace): Promise<IndexedCatalogue | null> =>
    (await ofBucket(place)).find((catalogue) => place.prefix.startsWith(catalogue.prefix)) ?? null;

  const openMapOf = (mapId: string): OpenMap => {
    const openMap = openMaps.get(mapId);
    if (openMap !== undefined) return openMap;
    throw failure('not-found', 'This map no longer exists. Open it again.', {
      reason: 'map-gone',
      retry: 'after-fix',
    });
  };

  const make = (place: WalkPlace, bucketOrigin: BucketOrigin): OpenMap => {
    const openMap = new OpenMap(random.id(), place, {
      clock,
      logger,
      thread,
      newId: () => random.id(),
      walk: (where, sink) => deps.walks.listKeys(where, sink),
      limitBytes: deps.limitBytes,
      bucketOrigin,
      onCatalogues: forgetIndex,
    });
    openMaps.set(openMap.mapId, openMap);
    for (const old of openMaps.values()) {
      if (openMaps.size <= maxOpenMaps) break;
      if (old !== openMap && !old.isWalking) void closeOne(old);
    }
    return openMap;
  };

  const closeOne = async (openMap: OpenMap): Promise<void> => {
    openMaps.delete(openMap.mapId);
    await openMap.close();
  };

  /** Opens a map from the newest catalogue that covers the place. If there is no such catalogue, the map is empty. */
  const fromCatalogue = async (place: WalkPlace, origin: BucketOrigin): Promise<OpenMap> => {
    const known = await covering(place);
    if (known === null) return make(place, origin);
    const { connectionId, bucket, prefix } = known;
    const openMap = make({ connectionId, bucket, prefix }, origin);
    try {
      await openMap.show(known);
      return openMap;
    } catch (thrown) {
      forgetIndex();
      if (toAppError(thrown).reason !== 'catalogue-gone') throw thrown;
      logger.warn('Could not read a catalogue; it was removed.', { bucket });
      await closeOne(openMap);
      return make(place, origin);
    }
  };

  const isOld = async (openMap: OpenMap): Promise<boolean> => {
    const { takenAt } = openMap;
    // A map from an inventory report is never refreshed automatically by listing the bucket.
    if (openMap.origin === 'inventory') return false;
    if (takenAt === null || clock.nowMs() - Date.parse(takenAt) < oldAfterMs) return false;
    const known = (await ofBucket(openMap.place)).find((catalogue) => catalogue.takenAt === takenAt);
    return (known?.requests ?? 0) <= maxRequestsUnasked;
  };

  /** Returns the current origin of a place. Closes maps that were read from an earlier origin. */
  const originFor = async (place: WalkPlace): Promise<BucketOrigin> => {
    const origin = await deps.originOf(place);
    const gone = [...openMaps.values()].filter(
      (openMap) => isAt(openMap.place, place) && !isSameOrigin(openMap.bucketOrigin, origin),
    );
    await Promise.all(gone.map(closeOne));
    return origin;
  };

  const opening = new Map<string, Promise<OpenMap>>();
  /** Returns the open map of a place. Windows that open the same place at the same time share one. */
  const openMapFor = async (place: WalkPlace): Promise<OpenMap> => {
    const origin = await originFor(place);
    const open = newestOf(
      [...openMaps.values()].filter(
        (openMap) => isAt(openMap.place, place) && place.prefix.startsWith(openMap.place.prefix),
      ),
    );
    const kept = await covering(place);
    // A map from an older report must not hide a newer catalogue.
    if (open !== null && (kept === null || open.takenAt === null || open.takenAt >= kept.takenAt))
      return open;
    const name = JSON.stringify([place.connectionId, place.bucket, place.prefix, printOrigin(origin)]);
    const begun = opening.get(name) ?? fromCatalogue(place, origin).finally(() => opening.delete(name));
    opening.set(name, begun);
    return await begun;
  };

  /** Refreshes the open map of a place if it was loaded from an old catalogue. */
  const refreshOld = async (place: WalkPlace): Promise<void> => {
    try {
      const openMap = await openMapFor(place);
      if (await isOld(openMap)) openMap.refresh();
    } catch (thrown) {
      logger.warn('Could not rebuild a catalogue.', { err: thrown });
    }
  };

  return {
    open: async (place, refresh) => {
      const openMap = await openMapFor(place);
      openMaps.delete(openMap.mapId);
      openMaps.set(openMap.mapId, openMap);
      const isUnknown = openMap.takenAt === null;
      if (refresh === 'always' || isUnknown || (refresh === 'old' && (await isOld(openMap))))
        openMap.refresh();
      return openMap.mapId;
    },

    read: async (place, report) => {
      const origin = await originFor(place);
      // A map with newer keys than the report is kept; the report fills another map.
      const open = [...openMaps.values()].findLast(
        (candidate) =>
          isAt(candidate.place, place) &&
          candidate.place.prefix === place.prefix &&
          (candidate.takenAt === null || candidate.takenAt <= report.takenAt),
      );
      const openMap = open ?? make(place, origin);
      openMaps.delete(openMap.mapId);
      openMaps.set(openMap.mapId, openMap);
      await openMap.read(report);
      return openMap.mapId;
    },

    watch: async function* (mapId, signal) {
      const openMap = openMapOf(mapId);
      while (!openMap.isClosed && !signal.aborted) {
        const changed = nextChange(openMap, signal);
        yield openMap.status();
        await changed;
        await clock.sleep(watchEveryMs, signal).catch(() => undefined);
      }
    },

    tree: async ({ mapId, ...wish }) => {
      const { sumsId } = openMapOf(mapId);
      return await thread.ask('tree', { ...wish, sumsId });
    },
    rows: async ({ mapId, ...wish }) => {
      const { sumsId } = openMapOf(mapId);
      return await thread.ask('rows', { ...wish, sumsId });
    },
    facts: async ({ mapId, ...wish }) => {
      const openMap = openMapOf(mapId);
      const { sumsId, takenAt } = openMap;
      const facts = await thread.ask('facts', { ...wish, sumsId });
      if (facts.largestOf === null && facts.oldestOf === null) return facts;
      // The sums contain the largest and oldest objects of the whole bucket only. Those of a folder are read from its catalogue.
      const known = (await ofBucket(openMap.place)).find(
        (catalogue) => catalogue.takenAt === takenAt && wish.folder.startsWith(catalogue.prefix),
      );
      if (known === undefined) return facts;
      const { catalogueId } = known;
      const tops = await thread.ask('folderTops', { ...wish, sumsId, catalogueId });
      return tops === null ? facts : { ...facts, ...tops, largestOf: null, oldestOf: null };
    },

    holdings: async ({ mapId, ...wish }) => {
      const { sumsId } = openMapOf(mapId);
      return await thread.ask('holdings', { ...wish, sumsId });
    },

    holdingsOf: async (place, folders, smallest) => {
      if ((await covering(place)) === null) return null;
      const { isComplete, takenAt, sumsId } = await openMapFor(place);
      if (!isComplete || takenAt === null) return null;
      const found = await Promise.all(
        folders.map(
          async (folder) => await thread.ask('holdings', { sumsId, folder, filter: everyKind, smallest }),
        ),
      );
      return { takenAt, holdings: found.flat() };
    },

    duplicates: async (mapId, folder) => {
      const openMap = openMapOf(mapId);
      const known = await covering({ ...openMap.place, prefix: folder });
      if (known === null) return { kind: 'no-catalogue' };
      const found = await thread.ask('duplicates', { catalogueId: known.catalogueId, folder });
      return { ...found, takenAt: known.takenAt };
    },

    export: async ({ mapId, folder, format, title }, signal) => {
      const openMap = openMapOf(mapId);
      const { sumsId } = openMap;
      const chunks = async function* () {
        for (let from: number | null = 0; from !== null;) {
          const piece: CatalogueCalls['export']['output'] = await thread.ask('export', {
            sumsId,
            folder,
            format: format === 'json' ? 'json' : 'csv',
            from,
            limit: foldersPerPiece,
          });
          yield piece;
          from = piece.next;
        }
      };
      const place = { bucket: openMap.place.bucket, prefix: folder };
      return await deps.exports.run({ place, format, title, chunks }, signal);
    },

    stop: (mapId) => openMapOf(mapId).stop(),
    close: async (mapId) => await closeOne(openMapOf(mapId)),

    list: async (place) => {
      const points = await thread.ask('growth', place);
      if (points.length === 0) return { catalogues: [], growth: [] };
      const origin = await deps.originOf(place);
      return {
        catalogues: (await ofBucket(place)).map(
          ({ connectionId: _connectionId, bucket: _bucket, origin: _origin, ...kept }) => kept,
        ),
        growth: points.filter((point) => isOf(point, origin)).map(({ origin: _origin, ...point }) => point),
      };
    },

    totals: async (connectionId) => {
      const found = await thread.ask('totals', { connectionId });
      const totals = new Map<string, BucketTotals>();
      // The newest totals of each bucket come first, so later ones are skipped.
      for (const { origin, ...total } of found) {
        const { bucket } = total;
        if (
          !totals.has(bucket) &&
          isOf({ origin, takenAt: total.takenAt }, await deps.originOf({ connectionId, bucket }))
        )
          totals.set(bucket, total);
      }
      return [...totals.values()];
    },

    sizes: async (place, folders) => {
      if ((await covering(place)) === null) return null;
      const openMap = await openMapFor(place);
      // Sums of a running listing are incomplete.
      if (!openMap.isComplete || openMap.takenAt === null) return null;
      // Answered from memory without requests to the service, because the window asks each time it shows a folder.
      const sums = await thread.ask('sizes', { sumsId: openMap.sumsId, folders });
      return { takenAt: openMap.takenAt, sums: [...sums] };
    },

    changes: async ({ connectionId, bucket, ...wish }) => {
      const known = await ofBucket({ connectionId, bucket });
      for (const id of [wish.beforeId, wish.afterId])
        if (!known.some(({ catalogueId }) => catalogueId === id))
          throw failure('not-found', 'One of the two catalogues no longer exists.', {
            reason: 'catalogue-gone',
            retry: 'after-fix',
          });
      return await thread.ask('changes', wish);
    },

    find: (wish, signal) =>
      findNames(
        { thread, clock, newId: () => random.id(), catalogues, accountOf: deps.accountOf },
        wish,
        signal,
      ),

    forget: async (connectionId, bucket) => {
      const gone = [...openMaps.values()].filter(
        ({ place }) => place.connectionId === connectionId && (bucket === null || place.bucket === bucket),
      );
      await Promise.all(gone.map(async (openMap) => await closeOne(openMap)));
      await thread.ask('forget', { connectionId, bucket });
      forgetIndex();
    },

    connectionChanged: async (connectionId) => {
      const open = [...openMaps.values()].filter(({ place }) => place.connectionId === connectionId);
      await Promise.all(open.map(closeOne));
    },

    usage: async () => {
      const all = await catalogues();
      return { catalogues: all.length, fileBytes: all.reduce((sum, { fileBytes }) => sum + fileBytes, 0) };
    },

    keptKeys: async (place) => {
      const known = await covering(place);
      if (known === null) return null;
      const { catalogueId, takenAt } = known;
      void refreshOld(place);
      const search = async function* (
        query: WalkQuery,
        prefix: string,
        signal: AbortSignal,
      ): AsyncGenerator<FoundKeys, void, void> {
        const searchId = random.id();
        try {
          for (let from: number | null = 0; from !== null;) {
            signal.throwIfAborted();
            const wish: CatalogueCalls['search']['input'] = { searchId, catalogueId, prefix, query, from };
            const turn: CatalogueCalls['search']['output'] = await thread.ask('search', wish);
            yield turn;
            from = turn.next;
          }
        } finally {
          await thread.ask('searchOver', { searchId });
        }
      };
      return { takenAt, search };
    },

    makeRoom: async () => {
      if ((await catalogues()).length === 0) return;
      await thread.ask('trim', { limitBytes: deps.limitBytes() });
      forgetIndex();
    },

    shutDown: async () => {
      const open = [...openMaps.values()];
      openMaps.clear();
      for (const openMap of open) openMap.stop();
      await thread.close();
    },
  };
}

function isAt(place: BucketPlace, other: BucketPlace): boolean {
  return place.connectionId === other.connectionId && place.bucket === other.bucket;
}

/** Returns the open map with the latest data. A map without data counts as newest. Among equals, returns the one opened last. */
function newestOf(openMaps: readonly OpenMap[]): OpenMap | null {
  return openMaps.reduce<OpenMap | null>(
    (newest, openMap) =>
      newest === null || (openMap.takenAt ?? '~') >= (newest.takenAt ?? '~') ? openMap : newest,
    null,
  );
}

/**
 * Returns true if a catalogue was read from the origin `now`. A catalogue of an earlier version stores no origin; it counts if
 * the bucket is older than the catalogue.
 */
function isOf(
  { origin, takenAt }: { readonly origin: string; readonly takenAt: string },
  now: BucketOrigin,
): boolean {
  const before = parseBucketOrigin(origin);
  if (before !== null) return isSameOrigin(before, now);
  return now.createdAt === null || Date.parse(takenAt) >= Date.parse(now.createdAt);
}

/** Resolves at the next change of the map, or when the signal aborts. */
function nextChange(openMap: OpenMap, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      end();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const end = openMap.onChange(done);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
