import { isShownNote, type ItemNote } from '../../../../shared/models/transfers.ts';

/** Returns the fields `verified` and `note` of an item, by whether its content was proved. Keeps a more important note. */
export function verdictOn(
  note: ItemNote | null,
  isProved: boolean,
): { readonly verified: boolean; readonly note: ItemNote | null } {
  if (isProved) return { verified: true, note: note === 'not-verified' ? null : note };
  return { verified: false, note: isShownNote(note) ? note : 'not-verified' };
}
