import { viewOf } from '../frame/bytes.ts';

/** Computes XXH64 with seed 0 (xxHash specification 0.1.1). Zstandard stores the lower half (RFC 8878, section 3.1.1). */
export interface Xxh64 {
  readonly update: (bytes: Uint8Array) => void;
  readonly low32: () => number;
}

const stripeBytes = 32;
const p1 = 0x9e3779b185ebca87n;
const p2 = 0xc2b2ae3d27d4eb4fn;
const p3 = 0x165667b19e3779f9n;
const p4 = 0x85ebca77c2b2ae63n;
const p5 = 0x27d4eb2f165667c5n;

export function createXxh64(): Xxh64 {
  const lanes = [p1 + p2, p2, 0n, -p1].map(wrapped);
  const rest = new Uint8Array(stripeBytes);
  let restBytes = 0;
  let totalBytes = 0n;

  const stripe = (view: DataView, at: number): void => {
    for (let lane = 0; lane < 4; lane += 1)
      lanes[lane] = round(lanes[lane] ?? 0n, view.getBigUint64(at + lane * 8, true));
  };
  return {
    update: (bytes) => {
      totalBytes += BigInt(bytes.length);
      let at = 0;
      if (restBytes > 0) {
        at = Math.min(stripeBytes - restBytes, bytes.length);
        rest.set(bytes.subarray(0, at), restBytes);
        restBytes += at;
        if (restBytes < stripeBytes) return;
        stripe(new DataView(rest.buffer), 0);
        restBytes = 0;
      }
      const view = viewOf(bytes);
      for (; at + stripeBytes <= bytes.length; at += stripeBytes) stripe(view, at);
      rest.set(bytes.subarray(at));
      restBytes = bytes.length - at;
    },
    low32: () => {
      let hash = totalBytes < BigInt(stripeBytes) ? p5 : merged(lanes);
      hash = wrapped(hash + totalBytes);
      const view = new DataView(rest.buffer);
      let at = 0;
      for (; at + 8 <= restBytes; at += 8) {
        hash ^= round(0n, view.getBigUint64(at, true));
        hash = wrapped(rotated(hash, 27n) * p1 + p4);
      }
      if (at + 4 <= restBytes) {
        hash ^= wrapped(BigInt(view.getUint32(at, true)) * p1);
        hash = wrapped(rotated(hash, 23n) * p2 + p3);
        at += 4;
      }
      for (; at < restBytes; at += 1) {
        hash ^= wrapped(BigInt(view.getUint8(at)) * p5);
        hash = wrapped(rotated(hash, 11n) * p1);
      }
      hash = wrapped((hash ^ (hash >> 33n)) * p2);
      hash = wrapped((hash ^ (hash >> 29n)) * p3);
      return Number((hash ^ (hash >> 32n)) & 0xffffffffn);
    },
  };
}

function merged(lanes: readonly bigint[]): bigint {
  const [a = 0n, b = 0n, c = 0n, d = 0n] = lanes;
  let hash = wrapped(rotated(a, 1n) + rotated(b, 7n) + rotated(c, 12n) + rotated(d, 18n));
  for (const lane of lanes) hash = wrapped((hash ^ round(0n, lane)) * p1 + p4);
  return hash;
}

function round(lane: bigint, input: bigint): bigint {
  return wrapped(rotated(wrapped(lane + input * p2), 31n) * p1);
}

function rotated(value: bigint, by: bigint): bigint {
  return wrapped((value << by) | (value >> (64n - by)));
}

function wrapped(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}
