import { grownBytes, grownInts, hashStart, hashWith } from './columns.ts';

export interface StoredNames {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** For each name, twice the offset after its last byte, plus 1 if the name uses two bytes per UTF-16 unit. */
  readonly ends: Uint32Array<ArrayBuffer>;
}

/**
 * Stores names by number in one byte array, because a million strings would be a million heap objects. A name whose units all fit
 * into one byte uses one byte per UTF-16 unit.
 */
export class FolderNames {
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(64);
  #ends: Uint32Array<ArrayBuffer> = new Uint32Array(64);
  #length = 0;

  /** Restores names from stored columns and takes ownership of them. Throws a RangeError if they are inconsistent. */
  static of({ bytes, ends }: StoredNames): FolderNames {
    let before = 0;
    for (const end of ends) {
      const length = (end >>> 1) - (before >>> 1);
      if (length < 0 || (isWide(end) && length % 2 !== 0)) unsound();
      before = end;
    }
    if (before >>> 1 !== bytes.length) unsound();
    const names = new FolderNames();
    names.#bytes = bytes;
    names.#ends = ends;
    names.#length = ends.length;
    return names;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds a name and returns its number. */
  add(name: string): number {
    const number = this.#length;
    const from = this.#from(number);
    const wide = hasWideUnit(name) ? 1 : 0;
    const to = from + name.length * (1 + wide);
    if (to >= 2 ** 31) throw new RangeError('There are too many folder names.');
    this.#bytes = grownBytes(this.#bytes, to);
    for (let at = 0; at < name.length; at += 1) {
      const unit = name.charCodeAt(at);
      if (wide === 0) this.#bytes[from + at] = unit;
      else {
        this.#bytes[from + at * 2] = unit & 0xff;
        this.#bytes[from + at * 2 + 1] = unit >>> 8;
      }
    }
    this.#ends = grownInts(this.#ends, number + 1);
    this.#ends[number] = to * 2 + wide;
    this.#length += 1;
    return number;
  }

  at(number: number): string {
    const [from, end] = [this.#from(number), this.#ends[number] ?? 0];
    const bytes = Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + from, (end >>> 1) - from);
    return bytes.toString(isWide(end) ? 'utf16le' : 'latin1');
  }

  is(number: number, name: string): boolean {
    const [from, end] = [this.#from(number), this.#ends[number] ?? 0];
    const wide = end & 1;
    if ((end >>> 1) - from !== name.length * (1 + wide)) return false;
    for (let at = 0; at < name.length; at += 1)
      if (this.#unit(from, at, wide) !== name.charCodeAt(at)) return false;
    return true;
  }

  /** Returns the same hash as `hashOfText` for the name. */
  hashOf(number: number): number {
    const [from, end] = [this.#from(number), this.#ends[number] ?? 0];
    const wide = end & 1;
    const length = ((end >>> 1) - from) >>> wide;
    let hash = hashStart;
    for (let at = 0; at < length; at += 1) hash = hashWith(hash, this.#unit(from, at, wide));
    return hash >>> 0;
  }

  /** Returns the names for storing. They are not copied, so the caller must store them before the next `add`. */
  stored(): StoredNames {
    return {
      bytes: this.#bytes.subarray(0, this.#from(this.#length)),
      ends: this.#ends.subarray(0, this.#length),
    };
  }

  #from(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] ?? 0) >>> 1;
  }

  #unit(from: number, at: number, wide: number): number {
    const place = from + (at << wide);
    const low = this.#bytes[place] ?? 0;
    return wide === 0 ? low : low | ((this.#bytes[place + 1] ?? 0) << 8);
  }
}

const isWide = (end: number): boolean => (end & 1) !== 0;

function hasWideUnit(name: string): boolean {
  for (let at = 0; at < name.length; at += 1) if (name.charCodeAt(at) > 0xff) return true;
  return false;
}

function unsound(): never {
  throw new RangeError('The names of a catalogue are inconsistent.');
}
