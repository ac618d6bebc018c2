import { setImmediate as nextTurn } from 'node:timers/promises';
import { toAppError } from '../../../../shared/errors.ts';
import type {
  BucketTotals,
  Changes,
  FoundName,
  GrowthPoint,
  KeptState,
  MapFacts,
  MapFilter,
  MapRows,
  MapTree,
} from '../../../../shared/models/map.ts';
import type { Holding, SmallestSize } from '../../../../shared/models/prices.ts';
import type { FolderSums } from '../../walks/map/folder-sums.ts';
import { CatalogueIndex, type IndexedCatalogue, type WithOrigin } from './catalogue-index.ts';
import { NameFinder, type FindInput } from './catalogue-names.ts';
import type { CatalogueReader } from './catalogue-reader.ts';
import { CatalogueSearch, type SearchInput, type SearchTurn } from './catalogue-search.ts';
import { CatalogueWriter } from './catalogue-writer.ts';
import { changesOf } from './catalogue-changes.ts';
import { findDuplicates, type FoundDuplicates } from './duplicates.ts';
import { GrowingSums, sumsNow, type SumsNow } from './growing-sums.ts';
import {
  exportPiece,
  mapRows,
  type ExportPiece,
  type ExportPieceRequest,
  type RowRange,
} from './map-rows.ts';
import { mapHoldings, folderTops, mapFacts } from './map-facts.ts';
import { MapSums } from './map-sums.ts';
import { mapTree, type TreeOptions } from './map-tree.ts';
import type { Tops } from './tops.ts';

interface SumsRef {
  /** The caller chooses the ids of sums. */
  readonly sumsId: string;
}

interface FolderRef extends SumsRef {
  readonly folder: string;
  readonly filter: MapFilter;
}

/** The properties of a completed listing, for its catalogue. */
type Ending = Omit<IndexedCatalogue, 'objects' | 'sizeBytes' | 'fileBytes'> & {
  /** The disk limit for all catalogues together, in bytes. Above it, old catalogues are removed. */
  readonly limitBytes: number;
};

/**
 * The disk limit of the temporary table that removes repeated keys. It is enough for some 80 million keys. Above it, repeated
 * keys count several times.
 */
const maxScratchBytes = 4 * 1024 ** 3;

/** The duration of one time slice of a search, in milliseconds. After it, the matches so far are reported. */
const searchTurnMs = 40;

/** Answers calls about the sums and catalogues in one data folder. Long calls yield to others between their parts. */
export class CatalogueServer {
  readonly #index: CatalogueIndex;
  readonly #growing = new Map<string, GrowingSums>();
  readonly #loaded = new Map<string, { readonly folderSums: FolderSums; readonly tops: Tops }>();
  readonly #maps = new Map<string, MapSums>();
  readonly #searches = new Map<
    string,
    { readonly reader: CatalogueReader; readonly search: CatalogueSearch }
  >();
  readonly #finders = new Map<string, NameFinder>();
  readonly #nowMs: () => number;

  constructor(dir: string, nowMs: () => number = Date.now) {
    this.#index = new CatalogueIndex(dir);
    this.#nowMs = nowMs;
  }

  /**
   * Starts sums that grow with each page. With `limitBytes` 0, no catalogue is stored. With `mayRepeat`, the service may list a
   * key several times; it still counts once.
   */
  begin(input: { sumsId: string; prefix: string; limitBytes: number; mayRepeat: boolean }): void {
    const { sumsId, prefix, limitBytes, mayRepeat } = input;
    // The file already has the id of the catalogue that it becomes when complete.
    const file = this.#index.fileOf(sumsId);
    const isKept = limitBytes > 0;
    const makeWriter =
      isKept || mayRepeat ? () => new CatalogueWriter(file, isKept ? limitBytes : maxScratchBytes) : null;
    this.#growing.set(sumsId, new GrowingSums(prefix, makeWriter, isKept));
  }

  /** Adds a page of listed objects (walks/map/key-page.ts). */
  add({ sumsId, page }: { sumsId: string; page: Uint8Array<ArrayBuffer> }): SumsNow {
    return this.#growingOf(sumsId).add(page);
  }

  /** Discards all earlier pages. */
  restart({ sumsId }: SumsRef): void {
    this.#growingOf(sumsId).restart();
    this.#maps.delete(sumsId);
  }

  /** Keeps all earlier pages. The keys that follow are not sorted. */
  disorder({ sumsId }: SumsRef): void {
    this.#growingOf(sumsId).disorder();
  }

  /** Ends a complete listing. Its catalogue replaces the previous one. */
  finish({ sumsId, ending }: { sumsId: string; ending: Ending }): SumsNow & { kept: KeptState } {
    const growing = this.#growingOf(sumsId);
    const fileBytes = growing.finish();
    this.#settle(sumsId, growing);
    const sums = sumsNow(growing.folderSums);
    if (fileBytes === null) return { ...sums, kept: growing.kept };
    const { limitBytes, ...place } = ending;
    const { objects, sizeBytes } = growing.folderSums;
    const removedIds = this.#index.add({ ...place, objects, sizeBytes, fileBytes }, limitBytes);
    return { ...sums, kept: removedIds.includes(ending.catalogueId) ? 'too-large' : 'kept' };
  }

  /** Ends an incomplete listing. No catalogue is stored, but the sums stay in memory. */
  abandon({ sumsId }: SumsRef): void {
    const growing = this.#growing.get(sumsId);
    if (growing === undefined) return;
    growing.abandon();
    this.#settle(sumsId, growing);
  }

  #settle(sumsId: string, { folderSums, tops }: GrowingSums): void {
    this.#growing.delete(sumsId);
    this.#loaded.set(sumsId, { folderSums, tops });
  }

  /** Loads the sums of a stored catalogue. */
  async load({ sumsId, catalogueId }: { sumsId: string; catalogueId: string }): Promise<SumsNow> {
    const loaded = await this.#index.withReader(catalogueId, (reader) => reader.sums());
    this.#loaded.set(sumsId, loaded);
    return sumsNow(loaded.folderSums);
  }

  drop({ sumsId }: SumsRef): void {
    this.#growing.get(sumsId)?.abandon();
    this.#growing.delete(sumsId);
    this.#loaded.delete(sumsId);
    this.#maps.delete(sumsId);
  }

  tree({ sumsId, folder, filter, ...request }: FolderRef & TreeOptions): MapTree {
    return mapTree(this.#mapOf(sumsId), folder, filter, request);
  }

  rows({ sumsId, folder, filter, ...range }: FolderRef & RowRange): MapRows {
    return mapRows(this.#mapOf(sumsId), folder, filter, range);
  }

  facts({ sumsId, folder, filter }: FolderRef): MapFacts {
    return mapFacts(this.#mapOf(sumsId), folder, filter);
  }

  /** Reads the largest and oldest objects of a folder from a catalogue; null if that would take too long. */
  async folderTops(
    input: FolderRef & { catalogueId: string },
  ): Promise<Pick<MapFacts, 'largest' | 'oldest'> | null> {
    const { sumsId, catalogueId, folder, filter } = input;
    return await this.#index.withReader(
      catalogueId,
      async (reader) => await folderTops(reader, this.#mapOf(sumsId), folder, filter, nextTurn),
    );
  }

  /** Returns the objects grouped by storage class and month, to estimate costs. */
  holdings(input: FolderRef & { smallest: readonly SmallestSize[] }): Holding[] {
    const { sumsId, folder, filter, smallest } = input;
    return mapHoldings(this.#mapOf(sumsId), folder, filter, smallest);
  }

  /** Returns the sums of these folders; null for one that does not exist. */
  sizes(input: SumsRef & { folders: readonly string[] }): (Pick<SumsNow, 'objects' | 'sizeBytes'> | null)[] {
    const { sumsId, folders } = input;
    const { folderSums } = this.#sumsOf(sumsId);
    const rolled = this.#mapOf(sumsId).rolled({ kinds: null, storageClasses: null, ages: null });
    return folders.map((folder) => {
      const number = folderSums.find(folder);
      if (number === -1) return null;
      return { objects: rolled.objects[number] ?? 0, sizeBytes: rolled.sizeBytes[number] ?? 0 };
    });
  }

  /** Exports a range of the sums of all folders as text. */
  export({ sumsId, ...request }: SumsRef & ExportPieceRequest): ExportPiece {
    return exportPiece(this.#mapOf(sumsId), request);
  }

  async duplicates(input: { catalogueId: string; folder: string }): Promise<FoundDuplicates> {
    const find = async (reader: CatalogueReader) => await findDuplicates(reader, input.folder, nextTurn);
    return await this.#index.withReader(input.catalogueId, find);
  }

  async changes(input: { beforeId: string; afterId: string; folder: string }): Promise<Changes> {
    const { beforeId, afterId, folder } = input;
    const between = async (before: CatalogueReader, after: CatalogueReader) =>
      await changesOf(this.#rowsOf(beforeId, before, folder), after.rows(folder), folder, nextTurn);
    return await this.#index.withReader(
      beforeId,
      async (before) => await this.#index.withReader(afterId, async (after) => await between(before, after)),
    );
  }

  /** Yields the rows of one of several catalogues being read, so that only this one is removed if it is damaged. */
  *#rowsOf(
    catalogueId: string,
    reader: CatalogueReader,
    folder: string,
  ): ReturnType<CatalogueReader['rows']> {
    try {
      yield* reader.rows(folder);
    } catch (thrown) {
      reader.close();
      throw this.#index.handleReadFailure(catalogueId, thrown);
    }
  }

  /**
   * Searches a catalogue during one time slice. Throws BadPattern for an invalid pattern, and `AppError('not-found')` if the
   * catalogue is gone or damaged.
   */
  search(input: SearchInput): SearchTurn {
    const { searchId, catalogueId, from } = input;
    try {
      return this.#searchOf(input).turn(from, searchTurnMs, this.#nowMs);
    } catch (thrown) {
      this.searchOver({ searchId });
      throw this.#index.handleReadFailure(catalogueId, thrown);
    }
  }

  #searchOf({ searchId, catalogueId, prefix, query }: SearchInput): CatalogueSearch {
    const known = this.#searches.get(searchId);
    if (known !== undefined) return known.search;
    const reader = this.#index.open(catalogueId);
    try {
      const search = new CatalogueSearch(reader, prefix, query);
      this.#searches.set(searchId, { reader, search });
      return search;
    } catch (thrown) {
      reader.close();
      throw thrown;
    }
  }

  /** Searches names during one time slice. `catalogues` is used only by the first call with a `findId`. */
  find({ findId, text, catalogues, limit }: FindInput): { found: FoundName[]; isOver: boolean } {
    let finder = this.#finders.get(findId);
    if (finder === undefined) {
      finder = new NameFinder(text, limit, (catalogueId, thrown) => this.#skip(catalogueId, thrown));
      this.#finders.set(findId, finder);
      for (const catalogue of catalogues)
        finder.add(catalogue, () => this.#index.open(catalogue.catalogueId));
    }
    const isOver = finder.turn(this.#nowMs() + searchTurnMs, this.#nowMs);
    return { found: finder.best(), isOver };
  }

  /** Deletes a catalogue that cannot be read, so that a search continues without it. Throws any other error. */
  #skip(catalogueId: string, thrown: unknown): void {
    const reported = this.#index.handleReadFailure(catalogueId, thrown);
    if (toAppError(reported).reason !== 'catalogue-gone') throw reported;
  }

  findOver({ findId }: { findId: string }): void {
    this.#finders.get(findId)?.close();
    this.#finders.delete(findId);
  }

  searchOver({ searchId }: { searchId: string }): void {
    this.#searches.get(searchId)?.reader.close();
    this.#searches.delete(searchId);
  }

  index(): readonly IndexedCatalogue[] {
    return this.#index.all();
  }

  totals({ connectionId }: { connectionId: string }): readonly WithOrigin<BucketTotals>[] {
    return this.#index.totals(connectionId);
  }

  growth(input: { connectionId: string; bucket: string }): readonly WithOrigin<GrowthPoint>[] {
    return this.#index.growth(input.connectionId, input.bucket);
  }

  /** Removes catalogues until the rest fit the limit in bytes. */
  trim({ limitBytes }: { limitBytes: number }): void {
    this.#index.trim(limitBytes);
  }

  forget({ connectionId, bucket }: { connectionId: string; bucket: string | null }): void {
    this.#index.forget(connectionId, bucket);
  }

  #growingOf(sumsId: string): GrowingSums {
    const growing = this.#growing.get(sumsId);
    if (growing === undefined) throw new Error('These sums do not grow.');
    return growing;
  }

  #sumsOf(sumsId: string): { readonly folderSums: FolderSums; readonly tops: Tops } {
    const sums = this.#growing.get(sumsId) ?? this.#loaded.get(sumsId);
    if (sums === undefined) throw new Error('These sums do not exist.');
    return sums;
  }

  #mapOf(sumsId: string): MapSums {
    const { folderSums, tops } = this.#sumsOf(sumsId);
    const known = this.#maps.get(sumsId);
    if (known?.folderSums === folderSums) return known;
    const made = new MapSums(folderSums, tops, this.#nowMs());
    this.#maps.set(sumsId, made);
    return made;
  }
}
