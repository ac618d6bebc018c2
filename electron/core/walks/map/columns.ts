import { otherNames } from '../../../../shared/models/map-groups.ts';

/** A column of numbers, which grows as rows are added. */
type Numbers = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

function grown<T extends Numbers>(numbers: T, needed: number, make: (length: number) => T): T {
  if (needed <= numbers.length) return numbers;
  const larger = make(Math.max(needed, Math.ceil(numbers.length * 1.25), 64));
  larger.set(numbers);
  giveBack(numbers);
  return larger;
}

/** Frees a column's memory at once. It is outside the JavaScript heap, so garbage collection would free it late. */
function giveBack({ buffer }: Numbers | Int32Array<ArrayBuffer>): void {
  buffer.transfer(0);
}

/**
 * Returns the column itself if it is long enough, otherwise a longer copy. The old memory is then freed, so views of it become
 * empty.
 */
export const grownInts = (numbers: Uint32Array<ArrayBuffer>, needed: number): Uint32Array<ArrayBuffer> =>
  grown(numbers, needed, (length) => new Uint32Array(length));
/** Like `grownInts`. */
export const grownFloats = (numbers: Float64Array<ArrayBuffer>, needed: number): Float64Array<ArrayBuffer> =>
  grown(numbers, needed, (length) => new Float64Array(length));
/** Like `grownInts`. */
export const grownBytes = (numbers: Uint8Array<ArrayBuffer>, needed: number): Uint8Array<ArrayBuffer> =>
  grown(numbers, needed, (length) => new Uint8Array(length));

/** A hash table from a row's hash to its number. Uses open addressing, is at most half full, and stores no keys. */
export class HashPlaces {
  #slots: Int32Array<ArrayBuffer> = new Int32Array(1024).fill(-1);
  #count = 0;

  /** Returns the row with this hash for which `isSame` returns true; -1 if there is none. */
  find(hash: number, isSame: (place: number) => boolean): number {
    const mask = this.#slots.length - 1;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const place = this.#slots[at] ?? -1;
      if (place === -1 || isSame(place)) return place;
    }
  }

  /** Adds a row by its number. `hashOf` returns the hash of any row, including the added one. */
  add(place: number, hashOf: (place: number) => number): void {
    if ((this.#count + 1) * 2 > this.#slots.length) {
      const before = this.#slots;
      this.#slots = new Int32Array(before.length * 2).fill(-1);
      for (const known of before) if (known !== -1) this.#put(known, hashOf(known));
      giveBack(before);
    }
    this.#put(place, hashOf(place));
    this.#count += 1;
  }

  #put(place: number, hash: number): void {
    const mask = this.#slots.length - 1;
    let at = hash & mask;
    while (this.#slots[at] !== -1) at = (at + 1) & mask;
    this.#slots[at] = place;
  }
}

export function mixed(left: number, right: number): number {
  let hash = Math.imul(left ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(right + 0x7f4a7c15, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** FNV-1a over UTF-16 units. */
export const hashStart = 0x811c9dc5;
export const hashWith = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);

export function hashOfText(text: string): number {
  let hash = hashStart;
  for (let at = 0; at < text.length; at += 1) hash = hashWith(hash, text.charCodeAt(at));
  return hash >>> 0;
}

/**
 * Numbers names in order of appearance. At the limit, all further names share number 0, so that no object is counted under a
 * wrong name.
 */
export class NumberedNames {
  readonly #names: string[];
  readonly #maxNames: number;

  constructor(maxNames: number, names: readonly string[] = []) {
    this.#maxNames = maxNames;
    this.#names = names.length === 0 ? [otherNames] : [...names];
    // Lists written by version 1.0 do not reserve number 0. In a full list of that version, the last number means all
    // further names.
    if (this.#names[0] !== otherNames && this.#names.length === maxNames)
      this.#names[maxNames - 1] = otherNames;
  }

  get names(): readonly string[] {
    return this.#names;
  }

  /** True if the limit is reached. All further names then share number 0. */
  get isFull(): boolean {
    return this.#names.length === this.#maxNames;
  }

  numberOf(name: string): number {
    const known = this.#names.indexOf(name);
    if (known !== -1) return known;
    if (this.isFull) return Math.max(0, this.#names.indexOf(otherNames));
    return this.#names.push(name) - 1;
  }
}
