import type { PaletteEntry } from './palette-entries.ts';
import type { Match } from './palette-match.ts';

/** A group of entries shown together. */
export interface Shown {
  readonly key: string;
  /** Null for a group without a heading. */
  readonly name: string | null;
  /** The index of the group's first entry in the whole list. */
  readonly first: number;
  readonly matches: readonly Match<PaletteEntry>[];
}

/** The maximum number of entries shown per group. */
const maxOfGroup = 50;

/** Returns the groups with entries, each with the position of its first entry and limited in length. */
export function shownOf(
  groups: readonly { readonly name: string | null; readonly matches: readonly Match<PaletteEntry>[] }[],
): readonly Shown[] {
  const shown: Shown[] = [];
  let first = 0;
  for (const [at, { name, matches }] of groups.entries()) {
    const few = matches.slice(0, maxOfGroup);
    if (few.length === 0) continue;
    shown.push({ key: `${String(at)} ${name ?? ''}`, name, first, matches: few });
    first += few.length;
  }
  return shown;
}

/** Returns the entry to which a key moves, or null for any other key. `active` is -1 if no entry is chosen. */
export function entryMovedTo(key: string, active: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case 'ArrowDown':
      return (active + 1) % count;
    case 'ArrowUp':
      return active <= 0 ? count - 1 : active - 1;
    case 'PageDown':
      return Math.min(active + 8, count - 1);
    case 'PageUp':
      return Math.max(active - 8, 0);
    default:
      return null;
  }
}
