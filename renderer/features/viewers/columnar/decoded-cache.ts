/** The most recent decoded values, up to an estimated size. */
export interface DecodedCache {
  /** Returns the cached value of this name, or creates it. Failures are not cached. */
  readonly get: <T>(name: string, costBytes: number, make: () => Promise<T>) => Promise<T>;
}

interface CacheEntry {
  readonly costBytes: number;
  readonly made: Promise<unknown>;
}

export function decodedCache(maxBytes: number): DecodedCache {
  // Least recently used first.
  const entries = new Map<string, CacheEntry>();
  let sumBytes = 0;
  const drop = (name: string, entry: CacheEntry): void => {
    if (entries.get(name) !== entry) return;
    entries.delete(name);
    sumBytes -= entry.costBytes;
  };
  return {
    get: async <T>(name: string, costBytes: number, make: () => Promise<T>) => {
      const hit = entries.get(name);
      if (hit !== undefined) {
        entries.delete(name);
        entries.set(name, hit);
        return (await hit.made) as T;
      }
      const made = make();
      const entry = { costBytes, made };
      entries.set(name, entry);
      sumBytes += costBytes;
      for (const [oldest, other] of entries) {
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
