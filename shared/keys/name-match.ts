/** How well a typed word fits a name, best first. */
export const matchRank = { whole: 0, start: 1, wordStart: 2, inside: 3 } as const;

export interface WordMatch {
  readonly rank: number;
  readonly at: number;
}

/** Lower-cases a text, and replaces «ё» by «е», as Russian spelling allows. */
export function foldName(text: string): string {
  return text.toLowerCase().replaceAll('ё', 'е');
}

/** Returns the typed words, folded. A name has to match all of them. */
export function typedWords(typed: string): readonly string[] {
  return [...new Set(foldName(typed).split(/\s+/u))].filter((word) => word !== '');
}

const letterOrDigit = /[\p{L}\p{N}\p{M}]/u;

/** Returns true if a word starts here: after a separator, at a capital after a small letter, or between letters and digits. */
export function isWordStart(name: string, at: number): boolean {
  if (at === 0) return true;
  const before = name.charAt(at - 1);
  const here = name.charAt(at);
  if (!letterOrDigit.test(before)) return true;
  return /\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u.test(before + here);
}

/** Returns the best occurrence of a folded word in a name, or null. */
export function findWord(name: string, folded: string, word: string): WordMatch | null {
  const first = folded.indexOf(word);
  if (first === -1) return null;
  if (first === 0) return { rank: folded.length === word.length ? matchRank.whole : matchRank.start, at: 0 };
  // If folding changed the length (a letter became two), positions in the name are unknown, so word starts cannot be checked.
  if (folded.length !== name.length) return { rank: matchRank.inside, at: first };
  for (let at = first; at !== -1; at = folded.indexOf(word, at + 1))
    if (isWordStart(name, at)) return { rank: matchRank.wordStart, at };
  return { rank: matchRank.inside, at: first };
}
