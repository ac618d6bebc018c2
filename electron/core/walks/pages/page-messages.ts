import type { AppError } from '../../../../shared/errors.ts';
import type { Foreign } from '../../../../shared/models/objects.ts';
import type { WalkQuery } from '../../../../shared/models/walks.ts';
import type { ListedObject } from '../../s3/model/listing-types.ts';

/** A walk's options for its pages. */
export interface PageWish {
  readonly walkId: string;
  readonly prefix: string;
  /** Path patterns match the part of a key after this prefix; defaults to `prefix`. */
  readonly patternPrefix?: string;
  /** null to compute sums only. */
  readonly query: WalkQuery | null;
  /** Returns rows of one folder: objects and common prefixes in one order. */
  readonly delimiter?: '/';
  /** Reads all objects, for a map. */
  readonly isSurvey?: boolean;
}

export type PageContent =
  /** An unparsed listing in the first bytes of shared memory. */
  | {
      readonly kind: 'body';
      /** The number of the memory; the memory itself comes with the first task that uses it. */
      readonly memory: number;
      readonly buffer: SharedArrayBuffer | null;
      readonly isKept: boolean;
      readonly sizeBytes: number;
    }
  /** Already parsed, when the service is listed sequentially. */
  | { readonly kind: 'objects'; readonly objects: readonly ListedObject[] };

export interface PageTask {
  readonly id: number;
  readonly wish: PageWish;
  readonly content: PageContent;
  /** Every key must come after this one; null for no bound. */
  readonly after: string | null;
  /** Keys after this one are not counted; null for no bound. */
  readonly through: string | null;
}

/** `[prefix of the child, keys, bytes]`. */
export type ChildSum = readonly [prefix: string, keys: number, sizeBytes: number];

/** The sums of a page. */
export interface PageSum {
  readonly isTruncated: boolean;
  /** True if each key comes after the previous one. */
  readonly isOrdered: boolean;
  /** The first key of the page, even outside the bounds. */
  readonly firstKey: string | null;
  /** The last key counted. */
  readonly lastKey: string | null;
  /** The first key not counted, which is beyond `through`. */
  readonly beyondKey: string | null;
  readonly keys: number;
  readonly sizeBytes: number;
  readonly byStorageClass: readonly (readonly [storageClass: string, keys: number, sizeBytes: number])[];
  readonly matches: number;
  readonly matchedBytes: number;
  /**
   * The matches as a flat JSON array (UTF-8), five values each: key, size, time, ETag, class; those of a folder as `rowText`.
   * Null if there are none.
   */
  readonly rows: Uint8Array<ArrayBuffer> | null;
  /** Listed names outside the prefix; not counted elsewhere. */
  readonly foreign: Foreign;
  /** Sums of the direct subfolders. Only for walks without a query. */
  readonly children: readonly ChildSum[];
  /** Data for map/survey-page.ts. Only for surveys. */
  readonly survey: Uint8Array<ArrayBuffer> | null;
}

export type PageAnswer =
  | { readonly id: number; readonly kind: 'sum'; readonly sum: PageSum }
  /** The body is no listing. The client determines what it is. */
  | { readonly id: number; readonly kind: 'foreign' }
  | { readonly id: number; readonly kind: 'failed'; readonly error: AppError };
