import type { UploadRef } from '../../../../shared/models/stalled.ts';
import type { KeyedRow, KeyedRows } from '../../../ui/table/keyed-selection.ts';
import { refId } from './list-query.ts';

/** A selected upload, with the known size of its stored parts. */
export interface Selected {
  readonly ref: UploadRef;
  /** The size of the stored parts, or null if they have not been read. */
  readonly storedBytes: number | null;
  readonly stillWriting: boolean;
}

/** The selected uploads by `refId`. */
export type SelectedUploads = KeyedRows<Selected>;

export function selectedRow(selected: Selected): KeyedRow<Selected> {
  return [refId(selected.ref), selected];
}

export type Loss = Readonly<ReturnType<typeof lossOf>>;

/** Returns what aborting these uploads would delete, and the number of uploads whose parts have not been read. */
export function lossOf(selected: Iterable<Selected>) {
  let storedBytes = 0;
  let unread = 0;
  let stillWriting = 0;
  for (const upload of selected) {
    if (upload.storedBytes === null) unread += 1;
    else storedBytes += upload.storedBytes;
    if (upload.stillWriting) stillWriting += 1;
  }
  return { storedBytes, unread, stillWriting };
}
