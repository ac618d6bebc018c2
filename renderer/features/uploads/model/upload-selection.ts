import type { UploadRef } from '../../../../shared/models/uploads.ts';
import { refId } from './list-query.ts';

/** A selected upload, and what is known to be stored in it. */
export interface Selected {
  readonly ref: UploadRef;
  /** null: its parts have not been read. */
  readonly storedBytes: number | null;
  readonly stillWriting: boolean;
}

/** The selected uploads, not rows: sorting and filtering keep them. */
export type Selection = ReadonlyMap<string, Selected>;

export const nothingSelected: Selection = new Map();

export function only(selected: Selected): Selection {
  return new Map([[refId(selected.ref), selected]]);
}

export function toggled(selection: Selection, selected: Selected): Selection {
  const id = refId(selected.ref);
  const next = new Map(selection);
  if (!next.delete(id)) next.set(id, selected);
  return next;
}

export function replacedBy(selected: readonly Selected[]): Selection {
  return new Map(selected.map((one) => [refId(one.ref), one]));
}

export function added(selection: Selection, selected: readonly Selected[]): Selection {
  const next = new Map(selection);
  for (const one of selected) next.set(refId(one.ref), one);
  return next;
}

/** The bytes of selected rows, once known. */
export function refreshed(selection: Selection, read: readonly Selected[]): Selection {
  const known = read.filter(({ ref }) => selection.has(refId(ref)));
  return known.length === 0 ? selection : added(selection, known);
}

/** Drops what is no longer there, such as uploads that were finished. */
export function kept(selection: Selection, there: ReadonlySet<string>): Selection {
  const next = new Map([...selection].filter(([id]) => there.has(id)));
  return next.size === selection.size ? selection : next;
}

export interface Loss {
  readonly storedBytes: number;
  /** How many have not been read. */
  readonly unread: number;
  readonly stillWriting: number;
}

/** The parts that aborting these would delete. */
export function lossOf(selected: Iterable<Selected>): Loss {
  let storedBytes = 0;
  let unread = 0;
  let stillWriting = 0;
  for (const one of selected) {
    if (one.storedBytes === null) unread += 1;
    else storedBytes += one.storedBytes;
    if (one.stillWriting) stillWriting += 1;
  }
  return { storedBytes, unread, stillWriting };
}
