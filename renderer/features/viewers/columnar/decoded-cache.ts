/** The most recent decoded values, up to an estimated size. */
export interface DecodedCache {
  /** Returns the cached value of this name, or creates it. Failures are not cached. */
  readonly get: <T>(name: string, costBytes: number, make: () => Promise<T>) => Promise<T>;
}

interface Kept {
  readonly costBytes: number;
  readonly made: Promise<unknown>;
}

export function decodedCache(maxBytes: number): DecodedCache {
  // Least recently used first.
  const kept = new Map<string, Kept>();
  let sumBytes = 0;
  const drop = (name: string, entry: Kept): void => {
    if (kept.get(name) !== entry) return;
    kept.delete(name);
    sumBytes -= entry.costBytes;
  };
  return {
    get: async <T>(name: string, costBytes: number, make: () => Promise<T>) => {
      const before = kept.get(name);
      if (before !== undefined) {
        kept.delete(name);
        kept.set(name, before);
        return (await before.made) as T;
      }
      const made = make();
      const entry = { costBytes, made };
      kept.set(name, entry);
      sumBytes += costBytes;
      for (const [oldest, other] of kept) {
        if (sumBytes <= maxBytes || other === entry) break;
        drop(oldest, other);
      }
      try {
        return await made;
      } catch (thrown) {
        drop(name, entry);
        throw thrown;
      }
    },
  };
}
