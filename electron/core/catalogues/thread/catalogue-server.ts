import { setImmediate as nextTurn } from 'node:timers/promises';
import { assertNever } from '../../../../shared/assert-never.ts';
import { failure, toAppError } from '../../../../shared/errors.ts';
import { isDamage } from '../../store/sqlite-errors.ts';
import type { FolderSums } from '../../walks/map/folder-sums.ts';
import type { CatalogueCall, CatalogueCalls, Ending, SumsNow } from './catalogue-messages.ts';
import { CatalogueIndex } from './catalogue-index.ts';
import { NameFinder, type NamedCatalogue } from './catalogue-names.ts';
import { CatalogueReader } from './catalogue-reader.ts';
import { CatalogueSearch } from './catalogue-search.ts';
import { CatalogueWriter } from './catalogue-writer.ts';
import { changesOf } from './catalogue-changes.ts';
import { findDuplicates } from './duplicates.ts';
import { GrowingSums, sumsNow } from './growing-sums.ts';
import { exportPiece, mapRows } from './map-rows.ts';
import { mapHoldings, folderTops, mapFacts } from './map-facts.ts';
import { MapSums } from './map-sums.ts';
import { mapTree } from './map-tree.ts';
import type { Tops } from './tops.ts';

type Input<C extends CatalogueCall> = CatalogueCalls[C]['input'];
type Output<C extends CatalogueCall> = CatalogueCalls[C]['output'];

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

  /** Answers a call from the main thread. Throws if a catalogue cannot be read. */
  // oxlint-disable-next-line complexity -- one line for each call
  async answer(call: CatalogueCall, given: Input<CatalogueCall>): Promise<Output<CatalogueCall>> {
    // The types of `ask` guarantee that the input matches the call, but TypeScript cannot see that here.
    const input = given as never;
    switch (call) {
      case 'begin':
        return this.#begin(input);
      case 'add':
        return this.#add(input);
      case 'restart':
        return this.#restart(input);
      case 'disorder':
        return this.#disorder(input);
      case 'finish':
        return this.#finish(input);
      case 'abandon':
        return this.#abandon(input);
      case 'load':
        return this.#load(input);
      case 'drop':
        return this.#drop(input);
      case 'tree':
        return this.#tree(input);
      case 'rows':
        return this.#rows(input);
      case 'facts':
        return this.#facts(input);
      case 'folderTops':
        return await this.#folderTops(input);
      case 'holdings':
        return this.#holdings(input);
      case 'sizes':
        return this.#sizes(input);
      case 'export':
        return this.#export(input);
      case 'duplicates':
        return await this.#duplicates(input);
      case 'changes':
        return await this.#changes(input);
      case 'search':
        return this.#search(input);
      case 'find':
        return this.#find(input);
      case 'findOver':
        return this.#findOver(input);
      case 'searchOver':
        return this.#searchOver(input);
      case 'index':
        return this.#index.all();
      case 'totals':
        return this.#totals(input);
      case 'growth':
        return this.#growth(input);
      case 'trim':
        return this.#trim(input);
      case 'forget':
        return this.#forget(input);
      default:
        return assertNever(call);
    }
  }

  #begin({ sumsId, prefix, limitBytes, mayRepeat }: Input<'begin'>): null {
    // The file already has the id of the catalogue that it becomes when complete.
    const file = this.#index.fileOf(sumsId);
    const isKept = limitBytes > 0;
    const makeWriter =
      isKept || mayRepeat ? () => new CatalogueWriter(file, isKept ? limitBytes : maxScratchBytes) : null;
    this.#growing.set(sumsId, new GrowingSums(prefix, makeWriter, isKept));
    return null;
  }

  #add({ sumsId, page }: Input<'add'>): SumsNow {
    return this.#growingOf(sumsId).add(page);
  }

  #restart({ sumsId }: Input<'restart'>): null {
    this.#growingOf(sumsId).restart();
    this.#maps.delete(sumsId);
    return null;
  }

  #disorder({ sumsId }: Input<'disorder'>): null {
    this.#growingOf(sumsId).disorder();
    return null;
  }

  #finish({ sumsId, ending }: Input<'finish'>): Output<'finish'> {
    const growing = this.#growingOf(sumsId);
    const fileBytes = growing.finish();
    this.#settle(sumsId, growing);
    const sums = sumsNow(growing.folderSums);
    if (fileBytes === null) return { ...sums, kept: growing.kept };
    const { limitBytes, ...place }: Ending = ending;
    const { objects, sizeBytes } = growing.folderSums;
    const gone = this.#index.add({ ...place, objects, sizeBytes, fileBytes }, limitBytes);
    return { ...sums, kept: gone.includes(ending.catalogueId) ? 'too-large' : 'kept' };
  }

  #abandon({ sumsId }: Input<'abandon'>): null {
    const growing = this.#growing.get(sumsId);
    if (growing === undefined) return null;
    growing.abandon();
    this.#settle(sumsId, growing);
    return null;
  }

  #settle(sumsId: string, { folderSums, tops }: GrowingSums): void {
    this.#growing.delete(sumsId);
    this.#loaded.set(sumsId, { folderSums, tops });
  }

  #load({ sumsId, catalogueId }: Input<'load'>): SumsNow {
    const loaded = this.#reading(catalogueId, (reader) => reader.sums());
    this.#loaded.set(sumsId, loaded);
    return sumsNow(loaded.folderSums);
  }

  #drop({ sumsId }: Input<'drop'>): null {
    this.#growing.get(sumsId)?.abandon();
    this.#growing.delete(sumsId);
    this.#loaded.delete(sumsId);
    this.#maps.delete(sumsId);
    return null;
  }

  #tree({ sumsId, folder, filter, ...request }: Input<'tree'>): Output<'tree'> {
    return mapTree(this.#mapOf(sumsId), folder, filter, request);
  }

  #rows({ sumsId, folder, filter, sort, ...range }: Input<'rows'>): Output<'rows'> {
    return mapRows(this.#mapOf(sumsId), folder, filter, range, sort);
  }

  #facts({ sumsId, folder, filter }: Input<'facts'>): Output<'facts'> {
    return mapFacts(this.#mapOf(sumsId), folder, filter);
  }

  async #folderTops({
    sumsId,
    catalogueId,
    folder,
    filter,
  }: Input<'folderTops'>): Promise<Output<'folderTops'>> {
    const reader = this.#open(catalogueId);
    try {
      return await folderTops(reader, this.#mapOf(sumsId), folder, filter, nextTurn);
    } finally {
      reader.close();
    }
  }

  #holdings({ sumsId, folder, filter, smallest }: Input<'holdings'>): Output<'holdings'> {
    return mapHoldings(this.#mapOf(sumsId), folder, filter, smallest);
  }

  #sizes({ sumsId, folders }: Input<'sizes'>): Output<'sizes'> {
    const { folderSums } = this.#sumsOf(sumsId);
    const rolled = this.#mapOf(sumsId).rolled({ kinds: null, storageClasses: null, ages: null });
    return folders.map((folder) => {
      const number = folderSums.find(folder);
      return number === -1
        ? null
        : { objects: rolled.objects[number] ?? 0, sizeBytes: rolled.sizeBytes[number] ?? 0 };
    });
  }

  #export({ sumsId, ...request }: Input<'export'>): Output<'export'> {
    return exportPiece(this.#mapOf(sumsId), request);
  }

  async #duplicates({ catalogueId, folder }: Input<'duplicates'>): Promise<Output<'duplicates'>> {
    const reader = this.#open(catalogueId);
    try {
      return await findDuplicates(reader, folder, nextTurn);
    } finally {
      reader.close();
    }
  }

  async #changes({ beforeId, afterId, folder }: Input<'changes'>): Promise<Output<'changes'>> {
    const before = this.#open(beforeId);
    try {
      const after = this.#open(afterId);
      try {
        return await changesOf(before.rows(folder), after.rows(folder), folder, nextTurn);
      } finally {
        after.close();
      }
    } finally {
      before.close();
    }
  }

  #search({ searchId, catalogueId, prefix, query, from }: Input<'search'>): Output<'search'> {
    let known = this.#searches.get(searchId);
    if (known === undefined) {
      const reader = this.#open(catalogueId);
      known = { reader, search: new CatalogueSearch(reader, prefix, query) };
      this.#searches.set(searchId, known);
    }
    return known.search.turn(from, searchTurnMs, this.#nowMs);
  }

  #find({ findId, text, catalogues, limit }: Input<'find'>): Output<'find'> {
    let finder = this.#finders.get(findId);
    if (finder === undefined) {
      finder = new NameFinder(text, limit);
      this.#finders.set(findId, finder);
      for (const catalogue of catalogues) this.#addTo(finder, catalogue);
    }
    const isOver = finder.turn(this.#nowMs() + searchTurnMs, this.#nowMs);
    return { found: finder.best(), isOver };
  }

  /** Adds a catalogue to a search for names. Deletes and skips a catalogue that cannot be read. */
  #addTo(finder: NameFinder, catalogue: NamedCatalogue): void {
    try {
      finder.add(catalogue, this.#open(catalogue.catalogueId));
    } catch (thrown) {
      if (toAppError(thrown).reason !== 'catalogue-gone') throw thrown;
    }
  }

  #findOver({ findId }: Input<'findOver'>): null {
    this.#finders.get(findId)?.close();
    this.#finders.delete(findId);
    return null;
  }

  #searchOver({ searchId }: Input<'searchOver'>): null {
    this.#searches.get(searchId)?.reader.close();
    this.#searches.delete(searchId);
    return null;
  }

  #totals({ connectionId }: Input<'totals'>): Output<'totals'> {
    return this.#index.totals(connectionId);
  }

  #growth({ connectionId, bucket }: Input<'growth'>): Output<'growth'> {
    return this.#index.growth(connectionId, bucket);
  }

  #trim({ limitBytes }: Input<'trim'>): null {
    this.#index.trim(limitBytes);
    return null;
  }

  #forget({ connectionId, bucket }: Input<'forget'>): null {
    this.#index.forget(connectionId, bucket);
    return null;
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

  /** Opens a catalogue. Deletes it if it is damaged or has an unknown version, because its keys can be listed again. */
  #open(catalogueId: string): CatalogueReader {
    try {
      return new CatalogueReader(this.#index.fileOf(catalogueId));
    } catch (thrown) {
      throw this.#unreadable(catalogueId, thrown);
    }
  }

  #reading<T>(catalogueId: string, read: (reader: CatalogueReader) => T): T {
    const reader = this.#open(catalogueId);
    try {
      return read(reader);
    } catch (thrown) {
      throw this.#unreadable(catalogueId, thrown);
    } finally {
      reader.close();
    }
  }

  #unreadable(catalogueId: string, thrown: unknown): unknown {
    const isBroken = thrown instanceof RangeError || thrown instanceof SyntaxError || isDamage(thrown);
    const isGone = !this.#index.all().some((catalogue) => catalogue.catalogueId === catalogueId);
    if (!isBroken && !isGone) return thrown;
    this.#index.remove(catalogueId);
    return failure('not-found', 'This catalogue no longer exists. Read the bucket again.', {
      reason: 'catalogue-gone',
      retry: 'after-fix',
      cause: thrown,
    });
  }
}
