import type { AppError } from '../../../../shared/errors.ts';
import type { Foreign } from '../../../../shared/models/objects.ts';
import type { WalkQuery } from '../../../../shared/models/walks.ts';
import type { ListedObject } from '../../s3/model/listing-types.ts';

/** The options of a walk that apply to all its pages. */
export interface PageOptions {
  readonly walkId: string;
  readonly prefix: string;
  /** Path patterns match the part of a key after this prefix; defaults to `prefix`. */
  readonly patternPrefix?: string;
  /** The query that selects rows; null to compute sums only. */
  readonly query: WalkQuery | null;
  /** With a delimiter, the rows are the objects and common prefixes of one folder, in one order. */
  readonly delimiter?: '/';
  /** True to also encode all objects for a map. */
  readonly isForMap?: boolean;
}

export type PageContent =
  /** The bytes of a listing, at the start of a piece of shared memory. */
  | {
      readonly kind: 'body';
      /** The number that identifies the memory. A thread keeps reused memory by this number. */
      readonly memory: number;
      readonly buffer: SharedArrayBuffer | null;
      readonly isReusable: boolean;
      readonly sizeBytes: number;
    }
  /** The objects of a page that the main thread already parsed, used for services that must be listed page by page. */
  | { readonly kind: 'objects'; readonly objects: readonly ListedObject[] };

export interface PageTask {
  readonly id: number;
  readonly pageOptions: PageOptions;
  readonly content: PageContent;
  /** The key after which the page was requested; null if it starts at the first key. */
  readonly after: string | null;
  /** The last key to count; null to count all keys. */
  readonly through: string | null;
}

/** The sum of a direct subfolder: `[its prefix, keys, bytes]`. */
export type ChildSum = readonly [prefix: string, keys: number, sizeBytes: number];

/** The sums and rows of one listing page. */
export interface PageSum {
  readonly isTruncated: boolean;
  /** True if each key sorts after the previous one. */
  readonly isOrdered: boolean;
  /** The first key listed, even if it is outside the page's bounds. */
  readonly firstKey: string | null;
  /** The last key that was counted. */
  readonly lastKey: string | null;
  /** The first key after `through`, which is not counted. */
  readonly beyondKey: string | null;
  readonly keys: number;
  readonly sizeBytes: number;
  readonly byStorageClass: readonly (readonly [storageClass: string, keys: number, sizeBytes: number])[];
  readonly matches: number;
  readonly matchedBytes: number;
  /**
   * The matches as UTF-8: a flat JSON array with five values per object (key, size, time, ETag, class), or the bytes of columns
   * (`bytesOfColumns`) if the page has a delimiter. Null if nothing matched.
   */
  readonly rows: Uint8Array<ArrayBuffer> | null;
  /** Listed keys outside the requested prefix. No other count includes them. */
  readonly foreign: Foreign;
  /** Sums of the direct subfolders. Empty for walks with a query. */
  readonly children: readonly ChildSum[];
  /** All objects in the format of map/key-page.ts; null if the walk does not fill a map. */
  readonly keyPage: Uint8Array<ArrayBuffer> | null;
}

export type PageResponse =
  | { readonly id: number; readonly kind: 'sum'; readonly sum: PageSum }
  /** The body is not a listing. The client parses it to find out what the service sent instead. */
  | { readonly id: number; readonly kind: 'foreign' }
  | { readonly id: number; readonly kind: 'failed'; readonly error: AppError };
