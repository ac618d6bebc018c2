import { isAscii } from 'node:buffer';
import type { KeyRow } from './key-row.ts';

/**
 * A page of objects as columns, for a catalogue: numbers are counted and compared without decoding the keys. A key is stored as
 * the length of the prefix it shares with the previous key, and the rest.
 *
 *     count, flags, bytes of the text, bytes of the classes   4 × u32
 *     sizes                                                    f64 or u32 each
 *     seconds, and two halves of the ETag's bits               u32 each
 *     shared length, own length                                u16 each, in UTF-16 units
 *     class                                                    u8 each
 *     text: the unshared part of each key, UTF-8; classes: JSON
 */
const headBytes = 16;
const wideSizes = 1;
const asciiText = 2;

export function encodeBlock(rows: readonly KeyRow[]): Uint8Array<ArrayBuffer> {
  const count = rows.length;
  const isWide = rows.some(({ sizeBytes }) => sizeBytes > 0xffff_ffff);
  const classes: string[] = [];
  const classNumbers = new Uint8Array(count);
  const shared = new Uint16Array(count);
  const aligned = new Uint16Array(count);
  let text = '';
  let before = '';
  for (const [at, { key, storageClass }] of rows.entries()) {
    let number = classes.indexOf(storageClass);
    if (number === -1) number = classes.push(storageClass) - 1;
    classNumbers[at] = number;
    const length = sharedLength(before, key);
    shared[at] = length;
    aligned[at] = key.length - length;
    text += key.slice(length);
    before = key;
  }
  const textBytes = Buffer.from(text, 'utf8');
  const classBytes = Buffer.from(JSON.stringify(classes), 'utf8');
  const flags = (isWide ? wideSizes : 0) | (isAscii(textBytes) ? asciiText : 0);
  const sizesBytes = count * (isWide ? 8 : 4);
  const bytes = new Uint8Array(
    headBytes + sizesBytes + count * (12 + 4 + 1) + textBytes.byteLength + classBytes.byteLength,
  );
  const head = new Uint32Array(bytes.buffer, 0, 4);
  head.set([count, flags, textBytes.byteLength, classBytes.byteLength]);
  let offset = headBytes;
  const sizes = isWide
    ? new Float64Array(bytes.buffer, offset, count)
    : new Uint32Array(bytes.buffer, offset, count);
  offset += sizesBytes;
  const seconds = new Uint32Array(bytes.buffer, offset, count);
  const bits = new Uint32Array(bytes.buffer, offset + count * 4, count * 2);
  for (const [at, row] of rows.entries()) {
    sizes[at] = row.sizeBytes;
    seconds[at] = row.modifiedS;
    bits[at * 2] = row.etagHigh;
    bits[at * 2 + 1] = row.etagLow;
  }
  offset += count * 12;
  new Uint16Array(bytes.buffer, offset, count).set(shared);
  new Uint16Array(bytes.buffer, offset + count * 2, count).set(aligned);
  offset += count * 4;
  bytes.set(classNumbers, offset);
  offset += count;
  bytes.set(textBytes, offset);
  bytes.set(classBytes, offset + textBytes.byteLength);
  return bytes;
}

/** A block, read by columns. Throws a RangeError for invalid bytes. */
export class Block {
  readonly count: number;
  readonly sizes: Float64Array | Uint32Array;
  /** The modification time of each object in seconds since 1970; 0 if unknown. */
  readonly seconds: Uint32Array;
  /** The 64 bits of each object's ETag, as two numbers. */
  readonly etagBits: Uint32Array;
  readonly classNumbers: Uint8Array;
  readonly #shared: Uint16Array;
  readonly #units: Uint16Array;
  readonly #text: Uint8Array;
  readonly #isAscii: boolean;
  readonly #classBytes: Uint8Array;
  #classes: readonly string[] | null = null;

  constructor(stored: Uint8Array) {
    // Typed arrays need an aligned offset; unaligned input is copied.
    const bytes = stored.byteOffset % 8 === 0 ? stored : Uint8Array.from(stored);
    const { buffer, byteOffset: start } = bytes;
    const [count = 0, flags = 0, textBytes = 0, classBytes = 0] = new Uint32Array(buffer, start, 4);
    const sizesBytes = count * ((flags & wideSizes) === 0 ? 4 : 8);
    const expected = headBytes + sizesBytes + count * 17 + textBytes + classBytes;
    if (expected !== bytes.byteLength) throw new RangeError('This is not a block of a catalogue.');
    this.count = count;
    let offset = start + headBytes;
    this.sizes =
      (flags & wideSizes) === 0
        ? new Uint32Array(buffer, offset, count)
        : new Float64Array(buffer, offset, count);
    offset += sizesBytes;
    this.seconds = new Uint32Array(buffer, offset, count);
    this.etagBits = new Uint32Array(buffer, offset + count * 4, count * 2);
    offset += count * 12;
    this.#shared = new Uint16Array(buffer, offset, count);
    this.#units = new Uint16Array(buffer, offset + count * 2, count);
    offset += count * 4;
    this.classNumbers = new Uint8Array(buffer, offset, count);
    offset += count;
    this.#text = new Uint8Array(buffer, offset, textBytes);
    this.#classBytes = new Uint8Array(buffer, offset + textBytes, classBytes);
    this.#isAscii = (flags & asciiText) !== 0;
  }

  get classes(): readonly string[] {
    this.#classes ??= JSON.parse(Buffer.from(this.#classBytes).toString('utf8')) as string[];
    return this.#classes;
  }

  /** Decodes all keys, in the order of the listing. */
  keys(): string[] {
    const { buffer, byteOffset, byteLength } = this.#text;
    const text = Buffer.from(buffer, byteOffset, byteLength).toString(this.#isAscii ? 'latin1' : 'utf8');
    const keys: string[] = [];
    let before = '';
    let from = 0;
    for (let at = 0; at < this.count; at += 1) {
      const to = from + (this.#units[at] ?? 0);
      before = before.slice(0, this.#shared[at]) + text.slice(from, to);
      from = to;
      keys.push(before);
    }
    return keys;
  }

  classAt(at: number): string {
    return this.classes[this.classNumbers[at] ?? 0] ?? '';
  }

  rows(): KeyRow[] {
    return this.keys().map((key, at) => this.row(key, at));
  }

  row(key: string, at: number): KeyRow {
    return {
      key,
      sizeBytes: this.sizes[at] ?? 0,
      modifiedS: this.seconds[at] ?? 0,
      etagHigh: this.etagBits[at * 2] ?? 0,
      etagLow: this.etagBits[at * 2 + 1] ?? 0,
      storageClass: this.classAt(at),
    };
  }
}

/** Returns how many UTF-16 units two keys share at their start. Never splits a surrogate pair. */
function sharedLength(before: string, key: string): number {
  const maxShared = Math.min(before.length, key.length, 0xffff);
  let at = 0;
  while (at < maxShared && before.charCodeAt(at) === key.charCodeAt(at)) at += 1;
  const last = key.charCodeAt(at - 1);
  return at > 0 && last >= 0xd800 && last <= 0xdbff ? at - 1 : at;
}
