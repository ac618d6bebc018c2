import { grownBytes, grownInts } from './columns.ts';

export interface StoredNames {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** For each name, twice the place behind its last byte; one more where it takes two bytes for each unit. */
  readonly ends: Uint32Array<ArrayBuffer>;
}

/** Names by number, in one row of bytes: a million texts would be as many objects of the heap. A unit of UTF-16 takes a byte where all do. */
export class FolderNames {
  #bytes: Buffer<ArrayBuffer> = Buffer.from(new ArrayBuffer(64));
  #ends: Uint32Array<ArrayBuffer> = new Uint32Array(64);
  #length = 0;

  /** Takes the columns over. Throws a RangeError where they do not belong together. */
  static of({ bytes, ends }: StoredNames): FolderNames {
    const isSound =
      ends.every((end, at) => end >>> 1 >= (ends[at - 1] ?? 0) >>> 1) &&
      (ends.at(-1) ?? 0) >>> 1 === bytes.length;
    if (!isSound) throw new RangeError('The names of a catalogue do not belong together.');
    const names = new FolderNames();
    names.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    names.#ends = ends;
    names.#length = ends.length;
    return names;
  }

  get length(): number {
    return this.#length;
  }

  /** Gives its number. */
  add(name: string): number {
    const number = this.#length;
    const from = this.#from(number);
    const isWide = hasWideUnit(name);
    const end = from + name.length * (isWide ? 2 : 1);
    if (end >= 2 ** 31) throw new RangeError('There are too many folders.');
    this.#bytes = Buffer.from(grownBytes(this.#bytes, end).buffer);
    this.#bytes.write(name, from, isWide ? 'utf16le' : 'latin1');
    this.#ends = grownInts(this.#ends, number + 1);
    this.#ends[number] = end * 2 + (isWide ? 1 : 0);
    this.#length += 1;
    return number;
  }

  at(number: number): string {
    return this.#bytes.toString(this.#isWide(number) ? 'utf16le' : 'latin1', this.#from(number), this.#to(number));
  }
`
