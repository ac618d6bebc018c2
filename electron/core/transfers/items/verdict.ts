import { isShownNote, type ItemNote } from '../../../../shared/models/transfers.ts';

/** Returns the fields `verified` and `note` for an item whose content was proved or not. A more important note stays. */
export function verdictOn(
  note: ItemNote | null,
  isProved: boolean,
): { readonly verified: boolean; readonly note: ItemNote | null } {
  if (isProved) return { verified: true, note: note === 'not-verified' ? null : note };
  return { verified: false, note: isShownNote(note) ? note : 'not-verified' };
}
