import type { ListedObject } from '../../s3/model/listing-types.ts';

/** The minimum number of recent keys to remember. Up to twice as many are held in memory. */
const rememberedKeys = 100_000;

/**
 * Removes repeated keys from an unordered listing. Remembers only recent keys, because services repeat a key within a short
 * distance. So memory is limited for buckets of any size.
 */
export class RecentKeys {
  #recent = new Set<string>();
  #older = new Set<string>();

  /** Returns the objects whose keys were not seen recently. Also drops repetitions within the list. */
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
