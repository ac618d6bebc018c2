import type { FoundPart } from '../../ui/cells/key-text.tsx';

/** Returns the position of a text in a name. Null if it does not occur, or if folding changed the length of the name. */
export function foundPart(name: string, text: string, isCaseSensitive: boolean): FoundPart | null {
  const at = isCaseSensitive ? name.indexOf(text) : foldedIndex(name, text);
  return at === -1 || text === '' ? null : { at, end: at + text.length };
}

function foldedIndex(name: string, text: string): number {
  const folded = name.toLowerCase();
  return folded.length === name.length ? folded.indexOf(text.toLowerCase()) : -1;
}
