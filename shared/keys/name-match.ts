/** How well a typed word fits a name, best first. */
export const matchRank = { whole: 0, start: 1, wordStart: 2, inside: 3 } as const;

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

/** A part of a name, as indexes of its UTF-16 units. */
export interface NameSpan {
  readonly at: number;
  readonly end: number;
}

export interface WordMatch extends NameSpan {
  readonly rank: number;
}

/**
 * Returns the letters of a name that a part of its lower-cased text covers. A letter can become longer in lower case: `İ` becomes
 * two units.
 */
export function spanInName(name: string, folded: string, at: number, length: number): NameSpan {
  if (folded.length === name.length) return { at, end: at + length };
  let foldedEnd = 0;
  let letterAt = 0;
  let start: number | null = null;
  for (const letter of name) {
    foldedEnd += letter.toLowerCase().length;
    if (start === null && foldedEnd > at) start = letterAt;
    letterAt += letter.length;
    if (foldedEnd >= at + length) break;
  }
  return { at: start ?? letterAt, end: letterAt };
}

/** Returns the best occurrence of a folded word in a name, or null. */
export function findWord(name: string, folded: string, word: string): WordMatch | null {
  const first = folded.indexOf(word);
  if (first === -1) return null;
  const span = spanInName(name, folded, first, word.length);
  if (first === 0)
    return { rank: folded.length === word.length ? matchRank.whole : matchRank.start, ...span };
  for (let at = first; at !== -1; at = folded.indexOf(word, at + 1)) {
    const found = spanInName(name, folded, at, word.length);
    if (isWordStart(name, found.at)) return { rank: matchRank.wordStart, ...found };
  }
  return { rank: matchRank.inside, ...span };
}
