import type { ReactNode } from 'react';
import type { ObjectEntry, Place } from '../../../shared/models/objects.ts';
import type { SelectionItem } from '../../../shared/models/operations.ts';
import type { FolderActions } from '../objects/index.ts';

/** The prefix in a bucket that a search covers. */
export interface SearchWhere extends Place {
  /** The prefix: '' for the whole bucket, otherwise with a trailing `/`. */
  readonly prefix: string;
}

/** The selected results, in the forms that other features use. */
export interface ChosenResults {
  readonly walkId: string;
  /** The selected results, or null for all results. */
  readonly entries: readonly ObjectEntry[] | null;
  readonly items: readonly SelectionItem[];
  readonly count: number;
  readonly sizeBytes: number;
}

/** The selection that the details show, and the actions on it. */
export interface SearchDetails {
  readonly chosen: ChosenResults;
  /** True until the first results have loaded. */
  readonly isArriving: boolean;
  readonly onPreview: () => void;
  readonly download: () => void;
  readonly copyTo: () => void;
  readonly moveTo: () => void;
  readonly remove: () => void;
  readonly properties: () => void;
}

/** The functions of other features that this feature uses. `renderer/app` passes them in. */
export interface SearchServices {
  /** The window's actions on the rows that `FolderHandle.selected` of the results returns. */
  readonly actions: FolderActions;
  readonly goToObject: (key: string, inNewTab: boolean) => void;
  readonly download: (chosen: ChosenResults) => void;
  readonly remove: (chosen: ChosenResults) => void;
  /** Renders the details of the selected results, or of the searched folder. */
  readonly renderDetails: (details: SearchDetails) => ReactNode;
  readonly showDetails: () => void;
  /** Creates a batch job that the service runs on the results. Null if the service supports none. */
  readonly batch: ((chosen: ChosenResults) => void) | null;
}
