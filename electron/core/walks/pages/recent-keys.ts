import type { ListedObject } from '../../s3/model/listing-types.ts';

/** Keys that are remembered at least; twice as many at most. */
const rememberedKeys = 100_000;

/**
 * The keys that came last in a list without order: a service that repeats a key repeats it soon. Bounded, so that a bucket of
 * any size can be listed.
 */
export class RecentKeys {
  #recent = new Set<string>();
  #older = new Set<string>();

  /** The objects whose keys have not come before, each once. */
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
