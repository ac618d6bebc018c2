import type { ObjectEntry } from '../../../shared/models/objects.ts';

/** The objects that were renamed since a search found them, by the key that the core stored. */
export class RenamedKeys {
  readonly #newKeys = new Map<string, string>();

  /** Remembers that an object with this current key has a new key. */
  rename(key: string, newKey: string): void {
    const [found = key] = [...this.#newKeys].find(([, current]) => current === key) ?? [];
    this.#newKeys.set(found, newKey);
  }

  get size(): number {
    return this.#newKeys.size;
  }

  /** Returns a row that the core has read, under the current key. */
  renamed(row: ObjectEntry): ObjectEntry {
    const newKey = this.#newKeys.get(row.key);
    return newKey === undefined ? row : { ...row, key: newKey };
  }
}

const maxWalks = 50;
const byWalk = new Map<string, RenamedKeys>();

/** Returns the renamed objects of a search. They are kept while its tab shows another place. */
export function renamedKeysOf(walkId: string): RenamedKeys {
  const keys = byWalk.get(walkId) ?? new RenamedKeys();
  byWalk.delete(walkId);
  byWalk.set(walkId, keys);
  const [oldest] = byWalk.keys();
  if (byWalk.size > maxWalks && oldest !== undefined) byWalk.delete(oldest);
  return keys;
}
