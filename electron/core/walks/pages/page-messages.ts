import type { AppError } from '../../../../shared/errors.ts';
import type { Foreign } from '../../../../shared/models/objects.ts';
import type { WalkQuery } from '../../../../shared/models/walks.ts';
import type { ListedObject } from '../../s3/model/listing-types.ts';

/** A walk's options for its pages. */
export interface PageWish {
  readonly walkId: string;
  readonly prefix: string;
  /** null: sums alone. */
  readonly query: WalkQuery | null;
  /** Rows of one folder: objects and common prefixes in one order. */
  readonly delimiter?: '/';
  /** All of it is read, for a map. */
  readonly isSurvey?: boolean;
}

export type PageContent =
  /** A listing as it came, in the first bytes of shared memory. */
  | {
      readonly kind: 'body';
      /** The number of the memory, and the memory itself with the first task that uses it. */
      readonly memory: number;
      readonly buffer: SharedArrayBuffer | null;
      readonly isKept: boolean;
      readonly sizeBytes: number;
    }
  /** Read already: where the service is listed from end to end. */
  | { readonly kind: 'objects'; readonly objects: readonly ListedObject[] };

export interface PageTask {
  readonly id: number;
  readonly wish: PageWish;
  readonly content: PageContent;
  /** Every key must come after this one. */
  readonly after: string | null;
  /** Keys behind it are not counted. */
  readonly through: string | null;
}

/** `[prefix of the child, keys, bytes]`. */
export type ChildSum = readonly [prefix: string, keys: number, sizeBytes: number];

/** The sums of a page. */
export interface PageSum {
  readonly isTruncated: boolean;
  /** Each key comes after the one before it. */
  readonly isOrdered: boolean;
  /** The first key of the page, wherever it belongs. */
  readonly firstKey: string | null;
  /** The last key that was counted. */
  readonly lastKey: string | null;
  /** The first key that was not: it is beyond `through`. */
  readonly beyondKey: string | null;
  readonly keys: number;
  readonly sizeBytes: number;
  readonly byStorageClass: readonly (readonly [storageClass: string, keys: number, sizeBytes: number])[];
  readonly matches: number;
  readonly matchedBytes: number;
  /** The matches as JSON (UTF-8) of one flat array, five values each: key, size, time, ETag, class. Null: none. */
  readonly rows: Uint8Array<ArrayBuffer> | null;
  /** Listed, though it is not below the prefix: counted nowhere else. */
  readonly foreign: Foreign;
  /** Sums of the direct subfolders. Only for walks without a query. */
  readonly children: readonly ChildSum[];
  /** Data for survey/survey-page.ts. Only for surveys. */
  readonly survey: Uint8Array<ArrayBuffer> | null;
}

export type PageAnswer =
  | { readonly id: number; readonly kind: 'sum'; readonly sum: PageSum }
  /** No listing: the client says what it is. */
  | { readonly id: number; readonly kind: 'foreign' }
  | { readonly id: number; readonly kind: 'failed'; readonly error: AppError };
