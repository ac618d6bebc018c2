/** The most recent decoded values, up to an estimated size. */
export interface DecodedCache {
  /** Returns the cached value for this owner and name, or creates it. Failures are not cached. */
  readonly get: <T>(owner: object, name: number, costBytes: number, make: () => Promise<T>) => Promise<T>;
}

export function decodedCache(maxBytes: number): DecodedCache {
  interface Kept {
    readonly owner: object;
    readonly name: number;
    readonly costBytes: number;
    readonly made: Promise<unknown>;
  }
  const byOwner = new WeakMap<object, Map<number, Kept>>();
  // Least recently used first.
  const all = new Set<Kept>();
  let sumBytes = 0;

  const drop = (kept: Kept): void => {
    if (!all.delete(kept)) return;
    sumBytes -= kept.costBytes;
    byOwner.get(kept.owner)?.delete(kept.name);
  };
  return {
    get: async <T>(owner: object, name: number, costBytes: number, make: () => Promise<T>) => {
      let ofOwner = byOwner.get(owner);
      if (ofOwner === undefined) {
        ofOwner = new Map();
        byOwner.set(owner, ofOwner);
      }
      const before = ofOwner.get(name);
      if (before !== undefined) {
        all.delete(before);
        all.add(before);
        return (await before.made) as T;
      }
      const made = make();
      const kept: Kept = { owner, name, costBytes, made };
      ofOwner.set(name, kept);
      all.add(kept);
      sumBytes += costBytes;
      for (const oldest of all) {
        if (sumBytes <= maxBytes || oldest === kept) break;
        drop(oldest);
      }
      try {
        return await made;
      } catch (thrown) {
        drop(kept);
        throw thrown;
      }
    },
  };
}
