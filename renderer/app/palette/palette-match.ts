import { go, snapshot, type SnapshotKey } from 'fuzzysort';
import { findWord, foldName, isWordStart, matchRank, typedWords } from '../../../shared/keys/name-match.ts';

/** An entry that can be found by parts of its name. */
export interface Named {
  readonly label: string;
  /** The location of the entry, or the item it belongs to. It is searched as well. */
  readonly detail?: string;
  /** Synonyms of a command. They are searched as well. */
  readonly words?: string;
  /**
   * A command matches by the starts of its words. A name also matches by text inside it and by scattered letters. A destructive
   * command never matches by initials, and comes after all other matches.
   */
  readonly kind: 'name' | 'command' | 'destructive';
}

export interface Match<Entry extends Named> {
  readonly entry: Entry;
  /** The positions of the label's characters that match the typed text. */
  readonly marked: ReadonlySet<number>;
  /** Set if the letters of the typed text are only scattered over the name. */
  readonly isScattered?: true;
}

const maxShown = 100;
/** The minimum score (0 to 1) for a match by scattered letters. Letters that are far apart score less. */
const minScore = 0.25;
/** The minimum number of typed letters for a match by scattered letters. Nearly every name contains two given letters. */
const minScatteredLetters = 3;
const nothing: ReadonlySet<number> = new Set();
/** Added to the rank of a match outside the label, so that any match in a label comes first. */
const outside = { words: matchRank.inside + 1, detail: matchRank.inside + 2 } as const;

/** Returns an entry as a match of the empty text. */
export function unmarked<Entry extends Named>(entry: Entry): Match<Entry> {
  return { entry, marked: nothing };
}

interface Folded<Entry extends Named> {
  readonly entry: Entry;
  readonly label: string;
  readonly words: string;
  readonly detail: string;
}

interface Ranked<Entry extends Named> extends Match<Entry> {
  readonly rank: number;
}

/**
 * Returns a function that searches the entries, best match first. For an empty text, it returns all entries in their order. Reads
 * the entries only once there is a text, since thousands of them change while buckets are listed.
 */
export function matcherOf<Entry extends Named>(
  entries: readonly Entry[],
): (typed: string) => readonly Match<Entry>[] {
  let folded: readonly Folded<Entry>[] | undefined;
  let names: SnapshotKey<Entry> | undefined;
  return (typed) => {
    const words = typedWords(typed);
    if (words.length === 0) return entries.map(unmarked);
    folded ??= entries.map(foldEntry);
    const ranked = folded
      .flatMap((entry) => rankedMatch(entry, words) ?? [])
      .toSorted((a, b) => a.rank - b.rank);
    if (ranked.length === 0) {
      const letters = typed.trim();
      if (letters.length < minScatteredLetters) return [];
      names ??= snapshot(
        entries.filter(({ kind }) => kind === 'name'),
        { key: 'label' },
      );
      return go(letters, names, { limit: maxShown, threshold: minScore }).map((result) => ({
        entry: result.obj,
        marked: new Set(result.indexes),
        isScattered: true,
      }));
    }
    return [...ranked.filter((entry) => !isDestructive(entry)), ...ranked.filter(isDestructive)].slice(
      0,
      maxShown,
    );
  };
}

/** Returns the groups of matches in their order, but those by scattered letters last. */
export function scatteredLast<Group extends { readonly matches: readonly Match<Named>[] }>(
  groups: readonly Group[],
): readonly Group[] {
  const isScattered = ({ matches }: Group): boolean => matches[0]?.isScattered === true;
  return [...groups.filter((group) => !isScattered(group)), ...groups.filter(isScattered)];
}

function foldEntry<Entry extends Named>(entry: Entry): Folded<Entry> {
  return {
    entry,
    label: foldName(entry.label),
    words: foldName(entry.words ?? ''),
    detail: foldName(entry.detail ?? ''),
  };
}

function isDestructive({ entry }: Match<Named>): boolean {
  return entry.kind === 'destructive';
}

/** Ranks an entry that has every word in its label, its synonyms or its detail. Returns null if a word is missing. */
function rankedMatch<Entry extends Named>(
  folded: Folded<Entry>,
  words: readonly string[],
): Ranked<Entry> | null {
  const { entry } = folded;
  const marked = new Set<number>();
  let rank = 0;
  for (const word of words) {
    const match = rankOfWord(folded, word, marked);
    if (match === null) return null;
    rank = Math.max(rank, match);
  }
  return { entry, rank, marked };
}

function rankOfWord<Entry extends Named>(
  { entry, label, words, detail }: Folded<Entry>,
  word: string,
  marked: Set<number>,
): number | null {
  const worst = entry.kind === 'name' ? matchRank.inside : matchRank.wordStart;
  const inLabel = findWord(entry.label, label, word);
  if (inLabel !== null && inLabel.rank <= worst) {
    for (let { at } = inLabel; at < inLabel.end; at += 1) marked.add(at);
    return inLabel.rank;
  }
  const starts = entry.kind === 'destructive' ? null : startsOf(entry.label, label, word);
  if (starts !== null) {
    for (const at of starts) marked.add(at);
    return matchRank.inside;
  }
  const inWords = findWord(words, words, word);
  if (inWords !== null && inWords.rank <= matchRank.wordStart) return outside.words;
  const inDetail = findWord(detail, detail, word);
  return inDetail !== null && inDetail.rank <= worst ? outside.detail : null;
}

/**
 * Returns the positions of the word's letters if it consists of the starts of consecutive words in the label, such as `nf` or
 * `newfo` for “New folder”. Otherwise returns null.
 */
function startsOf(name: string, folded: string, word: string): readonly number[] | null {
  if (folded.length !== name.length) return null;
  const heads: number[] = [];
  for (let at = 0; at < name.length; at += 1)
    if (/[\p{L}\p{N}]/u.test(name.charAt(at)) && isWordStart(name, at)) heads.push(at);
  for (let first = 0; first < heads.length; first += 1) {
    const found = takeStarts(folded, heads, first, word, 0);
    if (found !== null) return found;
  }
  return null;
}

/** Matches the word from `from` with the start of the label's word `head`, then with the words after it. */
function takeStarts(
  folded: string,
  heads: readonly number[],
  head: number,
  word: string,
  from: number,
): readonly number[] | null {
  const start = heads[head];
  if (start === undefined) return null;
  const maxLength = (heads[head + 1] ?? folded.length) - start;
  let length = 0;
  while (length < maxLength && from + length < word.length && folded[start + length] === word[from + length])
    length += 1;
  for (; length > 0; length -= 1) {
    const positions = Array.from({ length }, (_, at) => start + at);
    if (from + length === word.length) return positions;
    const rest = takeStarts(folded, heads, head + 1, word, from + length);
    if (rest !== null) return [...positions, ...rest];
  }
  return null;
}
