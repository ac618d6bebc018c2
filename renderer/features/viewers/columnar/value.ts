/** Units of time. Each unit is a thousandth of the unit before it. */
export const timeUnits = ['s', 'ms', 'µs', 'ns'] as const;
export type TimeUnit = (typeof timeUnits)[number];

/** A stored value of a table, in the same form for every format. Text is a string; bytes are binary. */
export type Value = null | boolean | number | bigint | string | Uint8Array | TypedValue;

export type TypedValue =
  /** A float of 16 or 32 bits, converted to a double. */
  | { readonly kind: 'float'; readonly bits: 16 | 32; readonly value: number }
  | { readonly kind: 'decimal'; readonly unscaled: bigint; readonly scale: number }
  /** Days since 1970-01-01. */
  | { readonly kind: 'date'; readonly days: number }
  /** A time since midnight. */
  | { readonly kind: 'time'; readonly count: bigint; readonly unit: TimeUnit }
  /** A time since 1970-01-01T00:00:00, in UTC or without a time zone. */
  | { readonly kind: 'timestamp'; readonly count: bigint; readonly unit: TimeUnit; readonly isUtc: boolean }
  | {
      readonly kind: 'interval';
      readonly months: number;
      readonly days: number;
      readonly nanoseconds: bigint;
    }
  /** A geometry as well-known binary. */
  | { readonly kind: 'geometry'; readonly bytes: Uint8Array }
  /** A JSON text, unparsed. */
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'struct'; readonly members: readonly (readonly [name: string, value: Value])[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [key: Value, value: Value])[] };

const perSecond: Readonly<Record<TimeUnit, bigint>> = {
  s: 1n,
  ms: 1000n,
  µs: 1_000_000n,
  ns: 1_000_000_000n,
};

/** Returns the number of units per second. */
export function countPerSecond(unit: TimeUnit): bigint {
  return perSecond[unit];
}

/** Converts a duration to nanoseconds. */
export function nanosecondsOf(count: bigint, unit: TimeUnit): bigint {
  return count * (perSecond.ns / perSecond[unit]);
}

/** Reads a big-endian signed integer of any length. */
export function bigEndianInteger(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(bytes.length * 8, value);
}

/** Reads a little-endian signed integer of any length. */
export function littleEndianInteger(bytes: Uint8Array): bigint {
  return bigEndianInteger(bytes.toReversed());
}

/** Converts the bits of a 16-bit float to a number. */
export function halfFloat(raw: number): number {
  const exponent = (raw >> 10) & 31;
  const fraction = (raw & 1023) / 1024;
  const sign = raw >> 15 === 0 ? 1 : -1;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (exponent === 0 ? 2 ** -14 * fraction : 2 ** (exponent - 15) * (1 + fraction));
}

/** Formats the 16 bytes of a UUID. */
export function uuidText(bytes: Uint8Array): string {
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
