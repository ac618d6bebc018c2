/**
 * The number of streams hashed in parallel: two vectors of four, so that the CPU works on one while results of the other are
 * pending.
 */
export const md5Lanes = 8;
const sets = 2;

/** Byte offsets in the memory of the WebAssembly module. */
export const md5Memory = { sines: 0, pointers: 1024, state: 1088, words: 1216, free: 2048 } as const;

/** From RFC 1321, 3.4: the table T, the rotations of each round, and the word that each step uses. */
const sines = Array.from({ length: 64 }, (_, step) => Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32));
const turns = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;

function wordOf(step: number): number {
  const factor = [1, 5, 3, 7][step >> 4] ?? 0;
  const start = [0, 1, 5, 0][step >> 4] ?? 0;
  return (factor * step + start) & 15;
}

// Opcodes of the binary encoding: https://webassembly.github.io/spec/core/binary/instructions.html
const vectorType = 0x7b;
const intType = 0x7f;

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 128) return [...bytes, left];
    bytes.push((left & 127) | 128);
  }
}

function signed(value: number): number[] {
  const bytes: number[] = [];
  for (let left = value; ; left >>= 7) {
    if (left >= -64 && left < 64) return [...bytes, left & 127];
    bytes.push((left & 127) | 128);
  }
}

const vector = (code: number): number[] => [0xfd, ...unsigned(code)];
const get = (local: number): number[] => [0x20, ...unsigned(local)];
const set = (local: number): number[] => [0x21, ...unsigned(local)];
const tee = (local: number): number[] => [0x22, ...unsigned(local)];
const int = (value: number): number[] => [0x41, ...signed(value)];
const intAdd = [0x6a];
const intSubtract = [0x6b];
const not = vector(77);
const and = vector(78);
const andNot = vector(79);
const or = vector(80);
const xor = vector(81);
const shiftLeft = vector(171);
const shiftRight = vector(173);
const add = vector(174);
const loadInt = (offset: number): number[] => [0x28, 2, ...unsigned(offset)];
const loadVector = (offset: number, alignment = 4): number[] => [
  ...vector(0),
  alignment,
  ...unsigned(offset),
];
const storeVector = (offset: number): number[] => [...vector(11), 4, ...unsigned(offset)];
/** Loads a vector from a fixed address. */
const vectorAt = (address: number): number[] => [...int(0), ...loadVector(address)];
/** Combines four-byte words of two vectors, numbered 0 to 3 and 4 to 7. */
const shuffle = (...words: readonly number[]): number[] => [
  ...vector(13),
  ...words.flatMap((word) => [0, 1, 2, 3].map((byte) => word * 4 + byte)),
];

/** The only parameter of the function: the number of 64-byte blocks per lane. */
const blocks = 0;
const pointerOf = (lane: number): number => 1 + lane;
const stateOf = (half: number, register: number): number => 1 + md5Lanes + half * 4 + register;
const scratch = 1 + md5Lanes + sets * 4;
const scratches = 8;
const stateAt = (half: number, register: number): number => md5Memory.state + (half * 4 + register) * 16;
const wordAt = (half: number, word: number): number => md5Memory.words + (half * 16 + word) * 16;

const halves = Array.from({ length: sets }, (_, half) => half);
const lanes = Array.from({ length: md5Lanes }, (_, lane) => lane);
const four = [0, 1, 2, 3] as const;

/** Emits the message words of two lanes alternately: the first two words of each, then the last two. */
function interleaved(left: number, right: number, low: number, high: number): number[] {
  return [
    ...get(left),
    ...get(right),
    ...shuffle(0, 4, 1, 5),
    ...set(low),
    ...get(left),
    ...get(right),
    ...shuffle(2, 6, 3, 7),
    ...set(high),
  ];
}

/** Transposes four words of four lanes into four vectors, each with one word of all lanes. */
function gather(half: number, quarter: number): number[] {
  const joined = (word: number, left: number, right: number, ...words: readonly number[]): number[] => [
    ...int(0),
    ...get(left),
    ...get(right),
    ...shuffle(...words),
    ...storeVector(wordAt(half, quarter * 4 + word)),
  ];
  return [
    ...four.flatMap((index) => [
      ...get(pointerOf(half * 4 + index)),
      ...loadVector(quarter * 16, 0),
      ...set(scratch + index),
    ]),
    ...interleaved(scratch, scratch + 1, scratch + 4, scratch + 5),
    ...interleaved(scratch + 2, scratch + 3, scratch + 6, scratch + 7),
    ...joined(0, scratch + 4, scratch + 6, 0, 1, 4, 5),
    ...joined(1, scratch + 4, scratch + 6, 2, 3, 6, 7),
    ...joined(2, scratch + 5, scratch + 7, 0, 1, 4, 5),
    ...joined(3, scratch + 5, scratch + 7, 2, 3, 6, 7),
  ];
}

/** Emits the round function F, G, H or I (RFC 1321, 3.4), which pushes its result onto the stack. */
function mixed(round: number, b: number, c: number, d: number): number[] {
  switch (round) {
    case 0:
      return [...get(d), ...get(b), ...get(c), ...get(d), ...xor, ...and, ...xor, ...add];
    case 1:
      return [...get(c), ...get(d), ...andNot, ...add, ...get(d), ...get(b), ...and, ...add];
    case 2:
      return [...get(c), ...get(d), ...xor, ...get(b), ...xor, ...add];
    default:
      return [...get(d), ...not, ...get(b), ...or, ...get(c), ...xor, ...add];
  }
}

function step(index: number, half: number): number[] {
  // Instead of copying values, each step uses the registers in rotated roles.
  const register = (part: number): number => stateOf(half, (part + 64 - index) & 3);
  const a = register(0);
  const b = register(1);
  const turn = turns[index >> 4]?.[index & 3] ?? 0;
  const sum = scratch + half;
  return [
    ...get(a),
    ...vectorAt(md5Memory.sines + index * 16),
    ...add,
    ...vectorAt(wordAt(half, wordOf(index))),
    ...add,
    ...mixed(index >> 4, b, register(2), register(3)),
    ...tee(sum),
    ...int(turn),
    ...shiftLeft,
    ...get(sum),
    ...int(32 - turn),
    ...shiftRight,
    ...or,
    ...get(b),
    ...add,
    ...set(a),
  ];
}

function body(): number[] {
  const registers = halves.flatMap((half) => four.map((register) => [half, register] as const));
  return [
    // Declares the locals: the lanes' pointers, the state, and temporary values of a step.
    2,
    ...unsigned(md5Lanes),
    intType,
    ...unsigned(sets * 4 + scratches),
    vectorType,
    ...lanes.flatMap((lane) => [
      ...int(0),
      ...loadInt(md5Memory.pointers + lane * 4),
      ...set(pointerOf(lane)),
    ]),
    ...registers.flatMap(([half, register]) => [
      ...vectorAt(stateAt(half, register)),
      ...set(stateOf(half, register)),
    ]),
    // loop
    0x03,
    0x40,
    ...halves.flatMap((half) => four.flatMap((quarter) => gather(half, quarter))),
    ...sines.flatMap((_, index) => halves.flatMap((half) => step(index, half))),
    ...registers.flatMap(([half, register]) => [
      ...int(0),
      ...get(stateOf(half, register)),
      ...vectorAt(stateAt(half, register)),
      ...add,
      ...tee(stateOf(half, register)),
      ...storeVector(stateAt(half, register)),
    ]),
    ...lanes.flatMap((lane) => [...get(pointerOf(lane)), ...int(64), ...intAdd, ...set(pointerOf(lane))]),
    // br_if, and the ends of the loop and of the function
    ...get(blocks),
    ...int(1),
    ...intSubtract,
    ...tee(blocks),
    0x0d,
    0,
    0x0b,
    0x0b,
  ];
}

const named = (name: string): number[] => [name.length, ...Buffer.from(name)];
const section = (id: number, bytes: readonly number[]): number[] => [id, ...unsigned(bytes.length), ...bytes];

/**
 * Builds a WebAssembly module that computes the MD5 (RFC 1321) of eight streams in parallel, in 128-bit vectors. It imports
 * `env.memory` and exports `run(blocks)`, which hashes that many 64-byte blocks of each lane, starting at the lane's pointer.
 */
export function md5Module(): Uint8Array<ArrayBuffer> {
  const code = body();
  const table = sines.flatMap((sine) =>
    four.flatMap(() => [0, 8, 16, 24].map((bits) => (sine >>> bits) & 255)),
  );
  return Uint8Array.from([
    0x00,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...section(1, [1, 0x60, 1, intType, 0]),
    ...section(2, [1, ...named('env'), ...named('memory'), 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...named('run'), 0, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
    ...section(11, [1, 0, ...int(md5Memory.sines), 0x0b, ...unsigned(table.length), ...table]),
  ]);
}
