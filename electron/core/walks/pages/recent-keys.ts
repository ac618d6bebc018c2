import type { ListedObject } from '../../s3/model/listing-types.ts';

/** Minimum number of keys remembered; the maximum is twice that. */
const rememberedKeys = 100_000;

/**
 * Remembers recent keys of an unordered list: a service that repeats a key does so soon. Bounded, so that buckets of any size can
 * be listed.
 */
export class RecentKeys {
  #recent = new Set<string>();
  #older = new Set<string>();

  /** Returns the objects whose keys were not seen recently, each once. */
  fresh(objects: readonly ListedObject[]): readonly ListedObject[] {
    return objects.filter(({ key }) => {
      if (this.#recent.has(key) || this.#older.has(key)) return false;
      if (this.#recent.size >= rememberedKeys) {
        this.#older = this.#recent;
        this.#recent = new Set();
      }
      this.#recent.add(key);
      return true;
    });
  }
}
