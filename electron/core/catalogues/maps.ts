import { failure } from '../../../shared/errors.ts';
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
import type { BucketOrigin } from '../s3/model/bucket-origin.ts';
import type { FoundKeys, KeptKeys, WalkPlace } from '../walks/walk-source.ts';
import type { Walks } from '../walks/walks.ts';
import { createCatalogueThread, type CatalogueInput, type CatalogueOutput } from './catalogue-thread.ts';
import { findNames } from './find-names.ts';
import { isOf, KnownCatalogues, type CataloguedBucket } from './known-catalogues.ts';
import type { OpenMap, ReportSource } from './open-map.ts';
import { OpenMaps } from './open-maps.ts';

export interface MapsDeps {
  readonly ports: Pick<Ports, 'clock' | 'random' | 'logger'>;
  /** The folder that contains the catalogues. */
  readonly dir: string;
  readonly walks: Pick<Walks, 'listKeys'>;
  /** Returns the bucket's current origin (endpoint, account, creation time). Catalogues with another origin are ignored. */
  readonly originOf: (place: CataloguedBucket) => Promise<BucketOrigin>;
  /** Returns a connection's endpoint and account, without a request; null if the connection does not exist. */
  readonly accountOf: (connectionId: string) => Promise<Omit<BucketOrigin, 'createdAt'> | null>;
  readonly exports: Pick<WalkExports, 'run'>;
  /** The disk limit for all catalogues together, in bytes; 0 keeps none. */
  readonly limitBytes: () => number;
}

type Refresh = 'never' | 'old' | 'always';
type Asked<C extends 'tree' | 'rows' | 'facts' | 'holdings'> = Omit<CatalogueInput<C>, 'sumsId'> & {
  readonly mapId: string;
};

/** Holds the maps of buckets, and the catalogues from which they are loaded. */
export interface Maps {
  open(place: WalkPlace, refresh: Refresh): Promise<string>;
  /** Reads an inventory report into the map of a place. The previous map stays visible until the whole report is read. */
  read(place: WalkPlace, report: ReportSource): Promise<string>;
  watch(mapId: string, signal: AbortSignal): AsyncGenerator<MapStatus, void, void>;
  tree(request: Asked<'tree'>): Promise<MapTree>;
  rows(request: Asked<'rows'>): Promise<MapRows>;
  facts(request: Asked<'facts'>): Promise<MapFacts>;
  holdings(request: Asked<'holdings'>): Promise<Holding[]>;
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
    request: {
      readonly mapId: string;
      readonly folder: string;
      readonly format: 'csv' | 'csv-bom' | 'json';
      readonly title: string;
    },
    signal: AbortSignal,
  ): Promise<WalkExport>;
  stop(mapId: string): void;
  close(mapId: string): Promise<void>;
  list(place: CataloguedBucket): Promise<CatalogueList>;
  totals(connectionId: string): Promise<BucketTotals[]>;
  sizes(
    place: WalkPlace,
    folders: readonly string[],
  ): Promise<{ takenAt: string; sums: ({ objects: number; sizeBytes: number } | null)[] } | null>;
  /** Finds objects and folders in all catalogues by words of their names. Matches in the place `near` come first. */
  find(
    request: { readonly text: string; readonly near: CataloguedBucket | null },
    signal: AbortSignal,
  ): AsyncGenerator<FoundNames, void, void>;
  changes(
    request: CataloguedBucket & {
      readonly beforeId: string;
      readonly afterId: string;
      readonly folder: string;
    },
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
const foldersPerPiece = 2000;

export function createMaps(deps: MapsDeps): Maps {
  const { clock, random } = deps.ports;
  const thread = createCatalogueThread(deps.dir);
  const catalogues = new KnownCatalogues({ thread, originOf: deps.originOf });
  const openMaps = new OpenMaps({ ...deps, thread, catalogues });

  return {
    open: async (place, refresh) => {
      const openMap = await openMaps.at(place);
      openMaps.use(openMap);
      const isUnknown = openMap.takenAt === null;
      if (refresh === 'always' || isUnknown || (refresh === 'old' && (await openMaps.isOld(openMap))))
        openMap.refresh();
      return openMap.mapId;
    },

    read: async (place, report) => {
      const openMap = await openMaps.forReport(place, report.takenAt);
      openMaps.use(openMap);
      await openMap.read(report);
      return openMap.mapId;
    },

    watch: async function* (mapId, signal) {
      const openMap = openMaps.get(mapId);
      while (!openMap.isClosed && !signal.aborted) {
        const changed = nextChange(openMap, signal);
        yield openMap.status();
        await changed;
        await clock.sleep(watchEveryMs, signal).catch(() => undefined);
      }
    },

    tree: async ({ mapId, ...request }) => {
      const { sumsId } = openMaps.get(mapId);
      return await thread.ask('tree', { ...request, sumsId });
    },
    rows: async ({ mapId, ...request }) => {
      const { sumsId } = openMaps.get(mapId);
      return await thread.ask('rows', { ...request, sumsId });
    },
    facts: async ({ mapId, ...request }) => {
      const openMap = openMaps.get(mapId);
      const { sumsId, takenAt } = openMap;
      const facts = await thread.ask('facts', { ...request, sumsId });
      if (facts.largestOf === null && facts.oldestOf === null) return facts;
      // The sums contain the largest and oldest objects of the whole bucket only. Those of a folder are read from its catalogue.
      const known = (await catalogues.ofBucket(openMap.place)).find(
        (catalogue) => catalogue.takenAt === takenAt && request.folder.startsWith(catalogue.prefix),
      );
      if (known === undefined) return facts;
      const { catalogueId } = known;
      const tops = await thread.ask('folderTops', { ...request, sumsId, catalogueId });
      return tops === null ? facts : { ...facts, ...tops, largestOf: null, oldestOf: null };
    },

    holdings: async ({ mapId, ...request }) => {
      const { sumsId } = openMaps.get(mapId);
      return await thread.ask('holdings', { ...request, sumsId });
    },

    holdingsOf: async (place, folders, smallest) => {
      if ((await catalogues.covering(place)) === null) return null;
      const { isComplete, takenAt, sumsId } = await openMaps.at(place);
      if (!isComplete || takenAt === null) return null;
      const found = await Promise.all(
        folders.map(
          async (folder) => await thread.ask('holdings', { sumsId, folder, filter: everyKind, smallest }),
        ),
      );
      return { takenAt, holdings: found.flat() };
    },

    duplicates: async (mapId, folder) => {
      const openMap = openMaps.get(mapId);
      const known = await catalogues.covering({ ...openMap.place, prefix: folder });
      if (known === null) return { kind: 'no-catalogue' };
      const found = await thread.ask('duplicates', { catalogueId: known.catalogueId, folder });
      return { ...found, takenAt: known.takenAt };
    },

    export: async ({ mapId, folder, format, title }, signal) => {
      const openMap = openMaps.get(mapId);
      const { sumsId } = openMap;
      const chunks = async function* () {
        for (let from: number | null = 0; from !== null;) {
          const piece: CatalogueOutput<'export'> = await thread.ask('export', {
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

    stop: (mapId) => openMaps.get(mapId).stop(),
    close: async (mapId) => await openMaps.close(openMaps.get(mapId)),

    list: async (place) => {
      const points = await thread.ask('growth', place);
      if (points.length === 0) return { catalogues: [], growth: [] };
      const origin = await deps.originOf(place);
      return {
        catalogues: (await catalogues.ofBucket(place)).map(
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
      if ((await catalogues.covering(place)) === null) return null;
      const openMap = await openMaps.at(place);
      // Sums of a running listing are incomplete.
      if (!openMap.isComplete || openMap.takenAt === null) return null;
      // Answered from memory without requests to the service, because the window asks each time it shows a folder.
      const sums = await thread.ask('sizes', { sumsId: openMap.sumsId, folders });
      return { takenAt: openMap.takenAt, sums: [...sums] };
    },

    changes: async ({ connectionId, bucket, ...request }) => {
      const known = await catalogues.ofBucket({ connectionId, bucket });
      for (const id of [request.beforeId, request.afterId])
        if (!known.some(({ catalogueId }) => catalogueId === id))
          throw failure('not-found', 'One of the two catalogues no longer exists.', {
            reason: 'catalogue-gone',
            retry: 'after-fix',
          });
      return await thread.ask('changes', request);
    },

    find: (request, signal) =>
      findNames(
        {
          thread,
          clock,
          newId: () => random.id(),
          catalogues: () => catalogues.all(),
          accountOf: deps.accountOf,
        },
        request,
        signal,
      ),

    forget: async (connectionId, bucket) => {
      await openMaps.closeAll(connectionId, bucket);
      await thread.ask('forget', { connectionId, bucket });
      catalogues.changed();
    },

    connectionChanged: async (connectionId) => await openMaps.closeAll(connectionId, null),

    usage: async () => {
      const all = await catalogues.all();
      return { catalogues: all.length, fileBytes: all.reduce((sum, { fileBytes }) => sum + fileBytes, 0) };
    },

    keptKeys: async (place) => {
      const known = await catalogues.covering(place);
      if (known === null) return null;
      const { catalogueId, takenAt } = known;
      void openMaps.refreshOld(place);
      const search = async function* (
        query: WalkQuery,
        prefix: string,
        signal: AbortSignal,
      ): AsyncGenerator<FoundKeys, void, void> {
        const searchId = random.id();
        try {
          for (let from: number | null = 0; from !== null;) {
            signal.throwIfAborted();
            const request: CatalogueInput<'search'> = { searchId, catalogueId, prefix, query, from };
            const turn: CatalogueOutput<'search'> = await thread.ask('search', request);
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
      if ((await catalogues.all()).length === 0) return;
      await thread.ask('trim', { limitBytes: deps.limitBytes() });
      catalogues.changed();
    },

    shutDown: async () => {
      openMaps.shutDown();
      await thread.close();
    },
  };
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
