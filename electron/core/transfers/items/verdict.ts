import { isShownNote, type ItemNote } from '../../../../shared/models/transfers.ts';

/** Returns the fields of an item whose bytes were proved, or not. A note that says more stays: the list shows both. */
export function verdictOn(
  note: ItemNote | null,
  isProved: boolean,
): { readonly verified: boolean; readonly note: ItemNote | null } {
  if (isProved) return { verified: true, note: note === 'not-verified' ? null : note };
  return { verified: false, note: isShownNote(note) ? note : 'not-verified' };
}
