import type { AppError } from '../../../../shared/errors.ts';
import type {
  BucketTotals,
  CatalogueSource,
  Changes,
  Duplicates,
  FoundName,
  GrowthPoint,
  KeptCatalogue,
  KeptState,
  MapColouring,
  MapFacts,
  MapFilter,
  MapMeasure,
  MapRows,
  MapTree,
} from '../../../../shared/models/map.ts';
import type { Holding, SmallestSize } from '../../../../shared/models/prices.ts';
import type { WalkQuery } from '../../../../shared/models/walks.ts';
import type { RowSort } from './map-rows.ts';
import type { NamedCatalogue } from './catalogue-names.ts';
import type { SearchTurn } from './catalogue-search.ts';

/** An entry of the index of catalogues. */
export type IndexedCatalogue = OfOrigin<KeptCatalogue> & {
  readonly connectionId: string;
  readonly bucket: string;
};

/** Adds the origin from which data was read, as text (s3/model/bucket-origin.ts). It is '' in indexes of earlier versions. */
export type OfOrigin<T> = T & { readonly origin: string };

export interface SumsNow {
  readonly revision: number;
  readonly objects: number;
  readonly sizeBytes: number;
  readonly folders: number;
}

/** The properties of a completed listing, for its catalogue. */
export interface Ending {
  readonly catalogueId: string;
  readonly connectionId: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly origin: string;
  readonly takenAt: string;
  readonly requests: number;
  readonly source: CatalogueSource;
  /** The disk limit for all catalogues together, in bytes. Above it, old catalogues are removed. */
  readonly limitBytes: number;
}

interface Folder {
  readonly sumsId: string;
  readonly folder: string;
  readonly filter: MapFilter;
}

/** The calls that the catalogue thread answers, with their input and output. The caller chooses the ids of sums. */
export interface CatalogueCalls {
  /**
   * Starts sums that grow with each page. With `limitBytes` 0, no catalogue is stored. With `mayRepeat`, the service may list a
   * key several times; it still counts once.
   */
  begin: {
    input: { sumsId: string; prefix: string; limitBytes: number; mayRepeat: boolean };
    output: null;
  };
  /** Adds a page of listed objects (walks/map/key-page.ts). */
  add: { input: { sumsId: string; page: Uint8Array<ArrayBuffer> }; output: SumsNow };
  /** Discards all earlier pages. */
  restart: { input: { sumsId: string }; output: null };
  /** Keeps all earlier pages. The keys that follow are not sorted. */
  disorder: { input: { sumsId: string }; output: null };
  /** Ends a complete listing. Its catalogue replaces the previous one. */
  finish: { input: { sumsId: string; ending: Ending }; output: SumsNow & { kept: KeptState } };
  /** Ends an incomplete listing. No catalogue is stored, but the sums stay in memory. */
  abandon: { input: { sumsId: string }; output: null };
  /** Loads the sums of a stored catalogue. */
  load: { input: { sumsId: string; catalogueId: string }; output: SumsNow };
  drop: { input: { sumsId: string }; output: null };
  tree: {
    input: Folder & { measure: MapMeasure; colouring: MapColouring; limit: number };
    output: MapTree;
  };
  rows: { input: Folder & { offset: number; limit: number; sort: RowSort }; output: MapRows };
  facts: { input: Folder; output: MapFacts };
  /** Reads the largest and oldest objects of a folder from a catalogue; null if that would take too long. */
  folderTops: {
    input: Folder & { catalogueId: string };
    output: Pick<MapFacts, 'largest' | 'oldest'> | null;
  };
  /** Returns the objects grouped by storage class and month, to estimate costs. */
  holdings: { input: Folder & { smallest: readonly SmallestSize[] }; output: Holding[] };
  sizes: {
    input: { sumsId: string; folders: readonly string[] };
    output: readonly ({ objects: number; sizeBytes: number } | null)[];
  };
  /** Exports a range of the sums of all folders as text. */
  export: {
    input: { sumsId: string; folder: string; format: 'csv' | 'json'; from: number; limit: number };
    output: { bytes: Uint8Array<ArrayBuffer>; rows: number; next: number | null };
  };
  duplicates: {
    input: { catalogueId: string; folder: string };
    output: Omit<Extract<Duplicates, { kind: 'found' }>, 'takenAt'>;
  };
  changes: { input: { beforeId: string; afterId: string; folder: string }; output: Changes };
  search: {
    input: { searchId: string; catalogueId: string; prefix: string; query: WalkQuery; from: number };
    output: SearchTurn;
  };
  /** Searches names during one time slice. `catalogues` is used only by the first call with a `findId`. */
  find: {
    input: { findId: string; text: string; catalogues: readonly NamedCatalogue[]; limit: number };
    output: { found: FoundName[]; isOver: boolean };
  };
  findOver: { input: { findId: string }; output: null };
  searchOver: { input: { searchId: string }; output: null };
  index: { input: null; output: readonly IndexedCatalogue[] };
  growth: { input: { connectionId: string; bucket: string }; output: readonly OfOrigin<GrowthPoint>[] };
  totals: { input: { connectionId: string }; output: readonly OfOrigin<BucketTotals>[] };
  /** Removes catalogues until the rest fit the limit in bytes. */
  trim: { input: { limitBytes: number }; output: null };
  forget: { input: { connectionId: string; bucket: string | null }; output: null };
}

export type CatalogueCall = keyof CatalogueCalls;

export interface CatalogueQuestion<C extends CatalogueCall = CatalogueCall> {
  readonly id: number;
  readonly dir: string;
  readonly call: C;
  readonly input: CatalogueCalls[C]['input'];
}

export type CatalogueResponse =
  | {
      readonly id: number;
      readonly kind: 'done';
      readonly output: CatalogueCalls[CatalogueCall]['output'];
    }
  | { readonly id: number; readonly kind: 'failed'; readonly error: AppError };
