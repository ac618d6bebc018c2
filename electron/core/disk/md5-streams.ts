import { md5Lanes, md5Memory, md5Module } from './md5-module.ts';

/** The number of bytes of each stream in one call. All lanes must stay in the CPU cache. */
const chunkBytes = 64 * 1024;
/** Padding follows the last chunk: a byte 0x80, zeros and the length (RFC 1321, 3.1), at most two blocks. */
const laneBytes = chunkBytes + 128;
const initial = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476] as const;

/** The part of the WebAssembly API that is used here. TypeScript defines it only in the DOM library. */
interface Engine {
  readonly validate: (code: Uint8Array) => boolean;
  readonly Module: new (code: Uint8Array) => object;
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
}

const engine = (globalThis as unknown as { readonly WebAssembly?: Engine }).WebAssembly;

/** A stream to hash in a parallel lane. */
export interface Md5Stream {
  readonly sizeBytes: number;
  /** Fills `into` with the bytes from this offset on. If it throws, only this stream fails. */
  readonly read: (into: Uint8Array, offset: number) => void;
}

export type Md5Outcome = { readonly md5: string } | { readonly thrown: unknown } | 'stopped';

interface Lane {
  readonly stream: Md5Stream;
  readonly index: number;
  readBytes: number;
  /** The offset of the next block in the lane's memory, and the number of blocks that are ready. */
  at: number;
  ready: number;
  isPadded: boolean;
}

/**
 * Computes the MD5s of several streams in parallel. In MD5, each step waits for the previous one, so hashing one stream (as
 * OpenSSL does) leaves most of the CPU idle. Eight streams in vectors take a third of the time of eight in sequence.
 */
export class Md5Streams {
  readonly #bytes: Uint8Array;
  readonly #pointers: Uint32Array;
  readonly #state: Uint32Array;
  readonly #run: (blocks: number) => void;

  private constructor(memory: ArrayBuffer, run: (blocks: number) => void) {
    this.#bytes = new Uint8Array(memory);
    this.#pointers = new Uint32Array(memory, md5Memory.pointers, md5Lanes);
    this.#state = new Uint32Array(memory, md5Memory.state, md5Lanes * 4);
    this.#run = run;
  }

  /** Creates the hasher. Returns null if the CPU has no vector instructions. */
  static create(): Md5Streams | null {
    const code = md5Module();
    if (engine?.validate(code) !== true) return null;
    const memory = new engine.Memory({
      initial: Math.ceil((md5Memory.free + md5Lanes * laneBytes) / 65_536),
    });
    const { exports } = new engine.Instance(new engine.Module(code), { env: { memory } });
    const { run } = exports;
    return typeof run === 'function' ? new Md5Streams(memory.buffer, run as (blocks: number) => void) : null;
  }

  /**
   * Hashes at most eight streams, preferably of equal length, because all take as long as the longest. After each round, `onRead`
   * gets the bytes read from each stream; if it returns false, hashing stops.
   */
  hash(streams: readonly Md5Stream[], onRead: (bytes: readonly number[]) => boolean): readonly Md5Outcome[] {
    if (streams.length > md5Lanes) throw new Error('There are more streams than lanes.');
    const outcomes: Md5Outcome[] = streams.map(() => 'stopped');
    let active: Lane[] = streams.map((stream, index) => this.#begin(stream, index));
    for (;;) {
      const readBytes = streams.map(() => 0);
      active = active.filter((lane) => {
        try {
          if (lane.ready === 0) readBytes[lane.index] = this.#fill(lane);
          return true;
        } catch (thrown) {
          outcomes[lane.index] = { thrown };
          return false;
        }
      });
      const blocks = Math.min(...active.map(({ ready }) => ready));
      if (active.length === 0 || !onRead(readBytes)) return outcomes;
      // Lanes without a stream hash unused memory.
      this.#pointers.fill(md5Memory.free);
      for (const { index, at } of active) this.#pointers[index] = this.#start(index) + at;
      this.#run(blocks);
      for (const lane of active) {
        lane.at += blocks * 64;
        lane.ready -= blocks;
        if (lane.ready === 0 && lane.isPadded) outcomes[lane.index] = { md5: this.#digest(lane.index) };
      }
      active = active.filter((lane) => lane.ready > 0 || !lane.isPadded);
    }
  }

  #start(index: number): number {
    return md5Memory.free + index * laneBytes;
  }

  /** Returns the index of a register. Registers are consecutive, each with four lanes; the registers of lanes 4 to 7 follow. */
  #register(index: number, register: number): number {
    return (index >> 2) * 16 + register * 4 + (index & 3);
  }

  #begin(stream: Md5Stream, index: number): Lane {
    for (const [register, value] of initial.entries()) this.#state[this.#register(index, register)] = value;
    return { stream, index, readBytes: 0, at: 0, ready: 0, isPadded: false };
  }

  #fill(lane: Lane): number {
    const { stream, index } = lane;
    const start = this.#start(index);
    const count = Math.min(chunkBytes, stream.sizeBytes - lane.readBytes);
    if (count > 0) stream.read(this.#bytes.subarray(start, start + count), lane.readBytes);
    lane.readBytes += count;
    let end = count;
    if (lane.readBytes === stream.sizeBytes) {
      lane.isPadded = true;
      end = Math.ceil((count + 9) / 64) * 64;
      this.#bytes.fill(0, start + count, start + end);
      this.#bytes[start + count] = 0x80;
      const length = new DataView(this.#bytes.buffer, start + end - 8, 8);
      length.setBigUint64(0, BigInt(stream.sizeBytes) * 8n, true);
    }
    lane.at = 0;
    lane.ready = end / 64;
    return count;
  }

  #digest(index: number): string {
    const digest = Buffer.alloc(16);
    for (const register of initial.keys())
      digest.writeUInt32LE(this.#state[this.#register(index, register)] ?? 0, register * 4);
    return digest.toString('hex');
  }
}
