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
import type { WalkExport } from '../../../shared/models/walks.ts';
import { nextChange } from '../flow/deferred-work.ts';
import type { Place } from '../../../shared/models/objects.ts';
import type { Ports } from '../ports.ts';
import type { WalkExports } from '../walks/exports.ts';
import type { BucketOrigin } from '../s3/model/bucket-origin.ts';
import type { StoredKeys, WalkPlace } from '../walks/walk-source.ts';
import type { Walks } from '../walks/walks.ts';
import {
  createCatalogueThread,
  folderChunks,
  searchCatalogue,
  type CatalogueInput,
  type CatalogueOutput,
  type CatalogueThread,
} from './catalogue-thread.ts';
import { findNames } from './find-names.ts';
import { isFromOrigin, KnownCatalogues } from './known-catalogues.ts';
import type { ReportSource } from './open-map.ts';
import { OpenMaps } from './open-maps.ts';

export interface MapsDeps {
  readonly ports: Pick<Ports, 'clock' | 'random' | 'logger'>;
  /** The folder that contains the catalogues. */
  readonly dir: string;
  readonly walks: Pick<Walks, 'listKeys'>;
  /** Returns the bucket's current origin (endpoint, account, creation time). Catalogues with another origin are ignored. */
  readonly originOf: (place: Place) => Promise<BucketOrigin>;
  /** Returns a connection's endpoint and account, without a request; null if the connection does not exist. */
  readonly accountOf: (connectionId: string) => Promise<Omit<BucketOrigin, 'createdAt'> | null>;
  readonly exports: Pick<WalkExports, 'run'>;
  /** The disk limit for all catalogues together, in bytes; 0 keeps none. */
  readonly limitBytes: () => number;
}

type MapRequest<C extends 'tree' | 'rows' | 'facts' | 'holdings'> = Omit<CatalogueInput<C>, 'sumsId'> & {
  readonly mapId: string;
};

interface MapExport {
  readonly mapId: string;
  readonly folder: string;
  readonly format: 'csv' | 'csv-bom' | 'json';
  readonly title: string;
}

const watchEveryMs = 250;

/** Holds the maps of buckets, and the catalogues from which they are loaded. */
export class Maps {
  readonly #deps: MapsDeps;
  readonly #thread: CatalogueThread;
  readonly #catalogues: KnownCatalogues;
  readonly #openMaps: OpenMaps;

  constructor(deps: MapsDeps) {
    this.#deps = deps;
    this.#thread = createCatalogueThread(deps.dir, () => this.#catalogues.invalidate());
    this.#catalogues = new KnownCatalogues({ thread: this.#thread, originOf: deps.originOf });
    this.#openMaps = new OpenMaps({ ...deps, thread: this.#thread, catalogues: this.#catalogues });
  }

  async open(place: WalkPlace, refresh: 'never' | 'old' | 'always'): Promise<string> {
    const openMap = await this.#openMaps.at(place);
    this.#openMaps.use(openMap);
    const isUnknown = openMap.takenAt === null;
    if (refresh === 'always' || isUnknown || (refresh === 'old' && (await this.#openMaps.isOld(openMap))))
      openMap.refresh();
    return openMap.mapId;
  }

  /** Reads an inventory report into the map of a place. The previous map stays visible until the whole report is read. */
  async read(place: WalkPlace, report: ReportSource): Promise<string> {
    const openMap = await this.#openMaps.forReport(place, report.takenAt);
    this.#openMaps.use(openMap);
    await openMap.read(report);
    return openMap.mapId;
  }

  async *watch(mapId: string, signal: AbortSignal): AsyncGenerator<MapStatus, void, void> {
    const openMap = this.#openMaps.get(mapId);
    const removeWatcher = openMap.addWatcher();
    try {
      while (!openMap.isClosed && !signal.aborted) {
        const changed = nextChange(openMap, signal);
        yield openMap.status();
        await changed;
        await this.#deps.ports.clock.sleep(watchEveryMs, signal).catch(() => undefined);
      }
    } finally {
      removeWatcher();
    }
  }

  async tree({ mapId, ...request }: MapRequest<'tree'>): Promise<MapTree> {
    return await this.#thread.ask('tree', { ...request, sumsId: this.#openMaps.get(mapId).sumsId });
  }

  async rows({ mapId, ...request }: MapRequest<'rows'>): Promise<MapRows> {
    return await this.#thread.ask('rows', { ...request, sumsId: this.#openMaps.get(mapId).sumsId });
  }

  async facts({ mapId, ...request }: MapRequest<'facts'>): Promise<MapFacts> {
    const { sumsId, takenAt, place } = this.#openMaps.get(mapId);
    const facts = await this.#thread.ask('facts', { ...request, sumsId });
    if (facts.largestOf === null && facts.oldestOf === null) return facts;
    // The sums contain the largest and oldest objects of the whole bucket only. Those of a folder are read from its catalogue.
    const known = (await this.#catalogues.ofBucket(place)).find(
      (catalogue) => catalogue.takenAt === takenAt && request.folder.startsWith(catalogue.prefix),
    );
    if (known === undefined) return facts;
    const tops = await this.#thread.ask('folderTops', { ...request, sumsId, catalogueId: known.catalogueId });
    return tops === null ? facts : { ...facts, ...tops, largestOf: null, oldestOf: null };
  }

  async holdings({ mapId, ...request }: MapRequest<'holdings'>): Promise<Holding[]> {
    return await this.#thread.ask('holdings', { ...request, sumsId: this.#openMaps.get(mapId).sumsId });
  }

  /**
   * Returns the holdings of folders from the newest catalogue that contains them; null if no catalogue does, or a folder is
   * missing.
   */
  async holdingsOf(
    place: WalkPlace,
    folders: readonly string[],
    smallest: readonly SmallestSize[],
  ): Promise<{ takenAt: string; holdings: Holding[] } | null> {
    const sums = await this.#completeSums(place);
    if (sums === null) return null;
    const { takenAt, sumsId } = sums;
    const found = await Promise.all(
      folders.map(
        async (folder) => await this.#thread.ask('holdings', { sumsId, folder, filter: everyKind, smallest }),
      ),
    );
    return { takenAt, holdings: found.flat() };
  }

  /** Returns the sums of a place from its newest catalogue; null without one. Sums of a running listing are incomplete. */
  async #completeSums(place: WalkPlace): Promise<{ takenAt: string; sumsId: string } | null> {
    if ((await this.#catalogues.covering(place)) === null) return null;
    const { isComplete, takenAt, sumsId } = await this.#openMaps.at(place);
    return isComplete && takenAt !== null ? { takenAt, sumsId } : null;
  }

  async duplicates(mapId: string, folder: string): Promise<Duplicates> {
    const openMap = this.#openMaps.get(mapId);
    const known = await this.#catalogues.covering({ ...openMap.place, prefix: folder });
    if (known === null) return { kind: 'no-catalogue' };
    const found = await this.#thread.ask('duplicates', { catalogueId: known.catalogueId, folder });
    return { ...found, takenAt: known.takenAt };
  }

  async export({ mapId, folder, format, title }: MapExport, signal: AbortSignal): Promise<WalkExport> {
    const { sumsId, place } = this.#openMaps.get(mapId);
    const chunks = () => folderChunks(this.#thread, sumsId, folder, format === 'json' ? 'json' : 'csv');
    const where = { bucket: place.bucket, prefix: folder };
    return await this.#deps.exports.run({ place: where, format, title, chunks }, signal);
  }

  stop(mapId: string): void {
    this.#openMaps.get(mapId).stop();
  }

  async close(mapId: string): Promise<void> {
    await this.#openMaps.close(this.#openMaps.get(mapId));
  }

  async list(place: Place): Promise<CatalogueList> {
    const points = await this.#thread.ask('growth', place);
    if (points.length === 0) return { catalogues: [], growth: [] };
    const origin = await this.#deps.originOf(place);
    return {
      catalogues: (await this.#catalogues.ofBucket(place)).map(
        ({ connectionId: _connectionId, bucket: _bucket, origin: _origin, ...listedCatalogue }) =>
          listedCatalogue,
      ),
      growth: points
        .filter((point) => isFromOrigin(point, origin))
        .map(({ origin: _origin, ...point }) => point),
    };
  }

  async totals(connectionId: string): Promise<BucketTotals[]> {
    const found = await this.#thread.ask('totals', { connectionId });
    const totals = new Map<string, BucketTotals>();
    // The newest totals of each bucket come first, so later ones are skipped.
    for (const { origin, ...total } of found) {
      const { bucket } = total;
      if (
        !totals.has(bucket) &&
        isFromOrigin({ origin, takenAt: total.takenAt }, await this.#deps.originOf({ connectionId, bucket }))
      )
        totals.set(bucket, total);
    }
    return [...totals.values()];
  }

  async sizes(
    place: WalkPlace,
    folders: readonly string[],
  ): Promise<{ takenAt: string; sums: CatalogueOutput<'sizes'> } | null> {
    const known = await this.#completeSums(place);
    if (known === null) return null;
    const { takenAt, sumsId } = known;
    // Answered from memory without requests to the service, because the window asks each time it shows a folder.
    return { takenAt, sums: await this.#thread.ask('sizes', { sumsId, folders }) };
  }

  /** Compares two catalogues of a bucket. Throws `AppError('not-found')` if one of them no longer exists. */
  async changes(input: Place & CatalogueInput<'changes'>): Promise<Changes> {
    const { connectionId, bucket, ...request } = input;
    const known = await this.#catalogues.ofBucket({ connectionId, bucket });
    for (const id of [request.beforeId, request.afterId])
      if (!known.some(({ catalogueId }) => catalogueId === id))
        throw failure('not-found', 'One of the two catalogues no longer exists.', {
          reason: 'catalogue-gone',
          retry: 'after-fix',
        });
    return await this.#thread.ask('changes', request);
  }

  /** Finds objects and folders in all catalogues by words of their names. Matches in the place `near` come first. */
  find(
    request: { readonly text: string; readonly near: Place | null },
    signal: AbortSignal,
  ): AsyncGenerator<FoundNames, void, void> {
    const { clock, random } = this.#deps.ports;
    const catalogues = () => this.#catalogues.all();
    const deps = { ...this.#deps, thread: this.#thread, clock, newId: () => random.id(), catalogues };
    return findNames(deps, request, signal);
  }

  /** Deletes the catalogues of a bucket, or of all buckets of the connection if `bucket` is null. */
  async forget(connectionId: string, bucket: string | null): Promise<void> {
    await this.#openMaps.closeAll(connectionId, bucket);
    await this.#thread.ask('forget', { connectionId, bucket });
    this.#catalogues.invalidate();
  }

  /** Closes the maps of a connection after a change, because it may now lead to another service. */
  async connectionChanged(connectionId: string): Promise<void> {
    await this.#openMaps.closeAll(connectionId, null);
  }

  async usage(): Promise<{ catalogues: number; fileBytes: number }> {
    const all = await this.#catalogues.all();
    return { catalogues: all.length, fileBytes: all.reduce((sum, { fileBytes }) => sum + fileBytes, 0) };
  }

  /** Returns the stored keys from the newest catalogue that covers a place; null if there is no such catalogue. */
  async storedKeys(place: WalkPlace): Promise<StoredKeys | null> {
    const known = await this.#catalogues.covering(place);
    if (known === null) return null;
    const { catalogueId, takenAt } = known;
    void this.#openMaps.refreshOld(place);
    const search: StoredKeys['search'] = (...request) =>
      searchCatalogue(this.#thread, catalogueId, this.#deps.ports.random.id(), ...request);
    return { takenAt, search };
  }

  /** Deletes the catalogues that exceed the disk limit, after the limit was changed. */
  async makeRoom(): Promise<void> {
    if ((await this.#catalogues.all()).length === 0) return;
    await this.#thread.ask('trim', { limitBytes: this.#deps.limitBytes() });
    this.#catalogues.invalidate();
  }

  async shutDown(): Promise<void> {
    this.#openMaps.shutDown();
    await this.#thread.close();
  }
}
