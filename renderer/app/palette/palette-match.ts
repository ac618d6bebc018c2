import { go, snapshot } from 'fuzzysort';

/** Something that can be chosen by a part of its name. */
export interface Named {
  readonly label: string;
  /** Location of the entry, or what it belongs to. The search covers it too. */
  readonly detail?: string;
}

export interface Match<Entry extends Named> {
  readonly entry: Entry;
  /** The characters of the label that were typed. */
  readonly marked: ReadonlySet<number>;
}

const mostShown = 100;
/** At most 1; letters that are far apart score less. */
const leastScore = 0.25;
const nothing: ReadonlySet<number> = new Set();

/** An entry that nothing was typed for. */
export function unmarked<Entry extends Named>(entry: Entry): Match<Entry> {
  return { entry, marked: nothing };
}

/** Looks into entries again and again, the best match first; without a text all of them, as they came. */
export function matcherOf<Entry extends Named>(
  entries: readonly Entry[],
): (typed: string) => readonly Match<Entry>[] {
  const known = snapshot(entries, { keys: [(entry) => entry.label, (entry) => entry.detail ?? ''] });
  return (typed) => {
    const text = typed.trim();
    if (text === '') return entries.map(unmarked);
    return go(text, known, { limit: mostShown, threshold: leastScore }).map((result) => ({
      entry: result.obj,
      marked: new Set(result[0]?.indexes),
    }));
  };
}
