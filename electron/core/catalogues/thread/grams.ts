import { mixed } from '../../walks/map/columns.ts';

/** The number of characters in a gram: a short substring of a key, by which blocks are found. */
const gramLength = 4;
export const blocksPerGroup = 256;
const bytesPerGram = blocksPerGroup / 8;
const gramCount = 2 ** 16;
/** The number of grams stored in one row. */
const gramsPerSlice = 256;
export const sliceBytes = gramsPerSlice * bytesPerGram;
export const sliceCount = gramCount / gramsPerSlice;

/**
 * Converts a UTF-16 unit to lower case, as a case-insensitive search does. Returns -1 for non-ASCII units, which no gram
 * contains.
 */
function foldUnit(unit: number): number {
  if (unit >= 65 && unit <= 90) return unit + 32;
  if (unit < 128) return unit;
  // Only the Kelvin sign and the dotted I are non-ASCII but become ASCII in lower case.
  return unit === 0x212a ? 107 : unit === 0x130 ? 105 : -1;
}

/** Calls `visit` for each gram of the text from the offset `from` on. */
function eachGram(text: string, from: number, visit: (gram: number) => void): void {
  let packed = 0;
  let length = 0;
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const folded = foldUnit(unit);
    if (folded === -1) length = 0;
    else {
      packed = (packed << 8) | folded;
      length += 1;
      if (length >= gramLength) visit(mixed(packed, 0) & (gramCount - 1));
      // In lower case, the dotted I has a second, non-ASCII unit, which ends the gram.
      if (unit === 0x130) length = 0;
    }
  }
}

/** Records which grams occur in which of 256 blocks. */
export class GramGroup {
  readonly #bits = new Uint8Array(gramCount * bytesPerGram);

  /** Adds the keys of a block. `place` is the block's index in the group. */
  add(keys: readonly string[], place: number): void {
    const byte = place >>> 3;
    const bit = 1 << (place & 7);
    const bits = this.#bits;
    const set = (gram: number): void => {
      const at = gram * bytesPerGram + byte;
      bits[at] = (bits[at] ?? 0) | bit;
    };
    let before = '';
    for (const key of keys) {
      let shared = 0;
      const maxShared = Math.min(before.length, key.length);
      while (shared < maxShared && before.charCodeAt(shared) === key.charCodeAt(shared)) shared += 1;
      // The grams in the prefix shared with the previous key were recorded with that key.
      eachGram(key, Math.max(0, shared - gramLength + 1), set);
      before = key;
    }
  }

  slice(number: number): Uint8Array {
    return this.#bits.subarray(number * sliceBytes, (number + 1) * sliceBytes);
  }
}

/** Returns the grams of every key that contains this text; empty if the text is shorter than a gram. */
export function gramsOf(text: string): readonly number[] {
  const grams = new Set<number>();
  eachGram(text, 0, (gram) => grams.add(gram));
  return [...grams];
}

export const sliceOf = (gram: number): number => Math.floor(gram / gramsPerSlice);

/** Clears the bits of blocks without the gram. `candidates` has one bit for each block of a group. */
export function narrow(candidates: Uint8Array, slice: Uint8Array, gram: number): void {
  const from = (gram % gramsPerSlice) * bytesPerGram;
  for (let at = 0; at < bytesPerGram; at += 1)
    candidates[at] = (candidates[at] ?? 0) & (slice[from + at] ?? 0);
}

export const everyBlock = (): Uint8Array => new Uint8Array(bytesPerGram).fill(0xff);
