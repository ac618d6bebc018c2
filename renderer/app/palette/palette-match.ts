import { go, snapshot } from 'fuzzysort';

/** An entry that can be found by a part of its name. */
export interface Named {
  readonly label: string;
  /** Location of the entry, or what it belongs to. The search covers it too. */
  readonly detail?: string;
}

export interface Match<Entry extends Named> {
  readonly entry: Entry;
  /** The positions of the label's characters that match the typed text. */
  readonly marked: ReadonlySet<number>;
}

const maxShown = 100;
/** At most 1; letters that are far apart score less. */
const minScore = 0.25;
const nothing: ReadonlySet<number> = new Set();

/** Returns an entry as a match of the empty text. */
export function unmarked<Entry extends Named>(entry: Entry): Match<Entry> {
  return { entry, marked: nothing };
}

/** Returns a function that searches the entries, best match first; an empty text returns all in their order. */
export function matcherOf<Entry extends Named>(
  entries: readonly Entry[],
): (typed: string) => readonly Match<Entry>[] {
  const known = snapshot(entries, { keys: [(entry) => entry.label, (entry) => entry.detail ?? ''] });
  return (typed) => {
    const text = typed.trim();
    if (text === '') return entries.map(unmarked);
    return go(text, known, { limit: maxShown, threshold: minScore }).map((result) => ({
      entry: result.obj,
      marked: new Set(result[0]?.indexes),
    }));
  };
}
