/** The parts that are used here of the codecs that Node and browsers share, which are not part of the language. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };
declare const TextDecoder: new (
  encoding: 'utf-8',
  options: { readonly ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

/**
 * Number of keys per block. The first key in a block is stored in full; each later key omits the prefix that it shares with its
 * predecessor.
 */
export const keysPerBlock = 16;

/** Keys in one buffer, front-coded in blocks. */
export interface PackedKeys {
  readonly count: number;
  readonly bytes: Uint8Array;
  /** The start of each block in `bytes`. */
  readonly starts: Uint32Array;
  /** The keys by index that are not well-formed Unicode, which `bytes` cannot hold. */
  readonly others: ReadonlyMap<number, string>;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const lowBits = 0x7f;
/** Maximum encoded length of a number below 2^28. */
const maxNumberBytes = 4;

/** A buffer reused for each page, which is safe since a page is packed synchronously. */
let room = new Uint8Array(64 * 1024);

export function packKeys(keys: readonly string[]): PackedKeys {
  const others = new Map<number, string>();
  const starts = new Uint32Array(Math.ceil(keys.length / keysPerBlock));
  let to = 0;
  let before = '';
  for (let at = 0; at < keys.length; at += 1) {
    let key = keys[at] ?? '';
    if (!key.isWellFormed()) {
      others.set(at, key);
      key = '';
    }
    const isFirst = at % keysPerBlock === 0;
    if (isFirst) starts[at / keysPerBlock] = to;
    const shared = isFirst ? 0 : sharedUnits(before, key);
    before = key;
    const maxBytes = 3 * key.length + 2 * maxNumberBytes;
    if (to + maxBytes > room.length) room = widened(room, to + maxBytes);
    to = writeNumber(room, to, shared);
    to = writeRest(room, to, key, shared);
  }
  return { count: keys.length, bytes: room.slice(0, to), starts, others };
}

function widened(bytes: Uint8Array, needed: number): Uint8Array<ArrayBuffer> {
  const wider = new Uint8Array(2 * needed);
  wider.set(bytes);
  return wider;
}

/**
 * Writes the byte length of the key after the shared prefix, then these bytes. Has a fast path for ASCII keys, which are the most
 * common.
 */
function writeRest(bytes: Uint8Array, at: number, key: string, shared: number): number {
  const length = key.length - shared;
  let to = writeNumber(bytes, at, length);
  for (let unit = shared; unit < key.length; unit += 1) {
    const code = key.charCodeAt(unit);
    if (code > lowBits) {
      const rest = utf8Of(key.slice(shared));
      to = writeNumber(bytes, at, rest.length);
      bytes.set(rest, to);
      return to + rest.length;
    }
    bytes[to] = code;
    to += 1;
  }
  return to;
}

/** Returns the keys of a block, in their order. */
export function unpackBlock({ count, bytes, starts, others }: PackedKeys, block: number): readonly string[] {
  const keys: string[] = [];
  const size = Math.min(keysPerBlock, count - block * keysPerBlock);
  let from = starts[block] ?? 0;
  const readNumber = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= lowBits + 1) {
      const byte = bytes[from] ?? 0;
      from += 1;
      if (byte <= lowBits) return value + byte * factor;
      value += (byte - lowBits - 1) * factor;
    }
  };
  for (let at = 0; at < size; at += 1) {
    const shared = readNumber();
    const length = readNumber();
    const rest = textOf(bytes, from, from + length);
    from += length;
    keys.push((keys[at - 1] ?? '').slice(0, shared) + rest);
  }
  if (others.size > 0) return keys.map((key, at) => others.get(block * keysPerBlock + at) ?? key);
  return keys;
}

/** Returns all keys, in their order. */
export function unpackKeys(packed: PackedKeys): readonly string[] {
  return Array.from(packed.starts, (_, block) => unpackBlock(packed, block)).flat();
}

/** Returns how many UTF-16 units two keys share at their start. Does not split a surrogate pair. */
function sharedUnits(left: string, right: string): number {
  const maxShared = Math.min(left.length, right.length);
  let shared = 0;
  while (shared < maxShared && left.charCodeAt(shared) === right.charCodeAt(shared)) shared += 1;
  const unit = shared === 0 ? 0 : right.charCodeAt(shared - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? shared - 1 : shared;
}

function textOf(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte > lowBits) return textOfUtf8(bytes.subarray(from, to));
    text += String.fromCharCode(byte);
  }
  return text;
}

/** Writes a number with seven bits per byte, lowest bits first. Returns the next position. */
function writeNumber(bytes: Uint8Array, at: number, value: number): number {
  let to = at;
  let left = value;
  while (left > lowBits) {
    bytes[to] = (left % (lowBits + 1)) + lowBits + 1;
    left = Math.floor(left / (lowBits + 1));
    to += 1;
  }
  bytes[to] = left;
  return to + 1;
}

export function utf8Of(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** Returns the text, with U+FEFF where it begins with it. */
export function textOfUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
