import type { ReactNode } from 'react';
import type { SelectionItem } from '../../../shared/models/operations.ts';

/** Where a search looks: below a prefix of a bucket. */
export interface SearchWhere {
  readonly connectionId: string;
  readonly bucket: string;
  /** '' for the whole bucket, else it ends in `/`. */
  readonly prefix: string;
}

export interface PreviewWish {
  /** null: closed. */
  readonly objectKey: string | null;
  readonly onStep: (by: -1 | 1) => void;
  readonly onClose: () => void;
}

/** What this feature needs of others; the application hands it in. */
export interface SearchServices {
  readonly goToObject: (key: string, inNewTab: boolean) => void;
  readonly openFolder: (prefix: string) => void;
  readonly download: (items: readonly SelectionItem[]) => void;
  readonly remove: (items: readonly SelectionItem[]) => void;
  readonly preview: (wish: PreviewWish) => ReactNode;
}
