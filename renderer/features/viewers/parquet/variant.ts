import { BadFormat, viewOf } from '../frame/bytes.ts';
import { littleEndianInteger, uuidText, type Value } from '../columnar/columnar-file.ts';

/** A stored variant: as bytes, in columns of known types, or split between both. */
export interface VariantCell {
  /** The names of the members. Set only on the outermost cell, for all parts. */
  readonly metadata: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly typed: TypedPart | null;
}

type TypedPart =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'items'; readonly items: readonly VariantCell[] }
  | { readonly kind: 'members'; readonly members: readonly (readonly [string, VariantCell])[] };

const maxDepth = 64;

/** Returns a variant with at most `maxValues` nested values. Source: apache/parquet-format, VariantEncoding and VariantShredding. */
export function variantValue(cell: VariantCell, maxValues: number): Value {
  if (cell.metadata === null) throw new BadFormat('A variant lacks its names.');
  return cellValue(cell, { nameAt: variantNames(cell.metadata), maxValues }) ?? null;
}

interface Reading {
  readonly nameAt: NameAt;
  readonly maxValues: number;
}

/** Returns undefined if neither the bytes nor a column contain a value. */
function cellValue({ value, typed }: VariantCell, reading: Reading): Value | undefined {
  const stored = value === null ? undefined : variantReader(value, reading)(0, 0);
  if (typed === null) return stored;
  const isObject =
    typeof stored === 'object' && stored !== null && 'kind' in stored && stored.kind === 'struct';
  if (stored !== undefined && !(typed.kind === 'members' && isObject))
    throw new BadFormat('A variant has two values.');
  switch (typed.kind) {
    case 'value':
      return typed.value;
    case 'items':
      return { kind: 'list', items: typed.items.map((item) => cellValue(item, reading) ?? null) };
    default: {
      const columns = new Set(typed.members.map(([name]) => name));
      const members = isObject ? stored.members.filter(([name]) => !columns.has(name)) : [];
      for (const [name, part] of typed.members) {
        const member = cellValue(part, reading);
        if (member !== undefined) members.push([name, member]);
      }
      // As in a variant that is not split into columns, members are ordered by name.
      return { kind: 'struct', members: members.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)) };
    }
  }
}

/** Returns the name with this number. Throws BadFormat for an unknown number. */
type NameAt = (id: number) => string;

function variantNames(bytes: Uint8Array): NameAt {
  const header = byteAt(bytes, 0);
  if ((header & 15) !== 1) throw new BadFormat('A variant is of an unknown version.');
  const size = (header >> 6) + 1;
  const count = numberAt(bytes, 1, size);
  const start = 1 + size * (count + 2);
  const offsetOf = (id: number): number => start + numberAt(bytes, 1 + size * (id + 1), size);
  return (id) => {
    if (id >= count) throw new BadFormat('A member of a variant has no name.');
    return text(part(bytes, offsetOf(id), offsetOf(id + 1)));
  };
}

function variantReader(
  bytes: Uint8Array,
  { nameAt, maxValues }: Reading,
): (at: number, depth: number) => Value {
  const view = viewOf(bytes);
  let left = maxValues;
  const timestamp = (at: number, unit: 'µs' | 'ns', isUtc: boolean): Value => ({
    kind: 'timestamp',
    count: view.getBigInt64(at, true),
    unit,
    isUtc,
  });
  const decimal = (at: number, length: number): Value => ({
    kind: 'decimal',
    scale: view.getUint8(at),
    unscaled: littleEndianInteger(part(bytes, at + 1, at + 1 + length)),
  });
  const sized = (at: number): Uint8Array => part(bytes, at + 4, at + 4 + view.getUint32(at, true));
  /** The readers of values without inner values, by the number of their type. */
  const primitives: readonly ((at: number) => Value)[] = [
    () => null,
    () => true,
    () => false,
    (at) => view.getInt8(at),
    (at) => view.getInt16(at, true),
    (at) => view.getInt32(at, true),
    (at) => view.getBigInt64(at, true),
    (at) => view.getFloat64(at, true),
    (at) => decimal(at, 4),
    (at) => decimal(at, 8),
    (at) => decimal(at, 16),
    (at) => ({ kind: 'date', days: view.getInt32(at, true) }),
    (at) => timestamp(at, 'µs', true),
    (at) => timestamp(at, 'µs', false),
    (at) => ({ kind: 'float', bits: 32, value: view.getFloat32(at, true) }),
    sized,
    (at) => text(sized(at)),
    (at) => ({ kind: 'time', count: view.getBigInt64(at, true), unit: 'µs' }),
    (at) => timestamp(at, 'ns', true),
    (at) => timestamp(at, 'ns', false),
    (at) => uuidText(part(bytes, at, at + 16)),
  ];
  const primitive = (id: number, at: number): Value => {
    const reader = primitives[id];
    if (reader === undefined) throw new BadFormat('A variant holds a value of an unknown type.');
    return reader(at);
  };
  const read = (at: number, depth: number): Value => {
    if (depth > maxDepth) throw new BadFormat('A variant is too deep.');
    // Parts may overlap, so a few bytes can encode any number of values.
    left -= 1;
    if (left < 0) return null;
    const first = byteAt(bytes, at);
    const header = first >> 2;
    switch (first & 3) {
      case 0:
        return primitive(header, at + 1);
      case 1:
        return text(part(bytes, at + 1, at + 1 + header));
      case 2: {
        const idSize = ((header >> 2) & 3) + 1;
        const { count, start, offsetOf } = innerOf(at, header & 3, ((header >> 4) & 1) === 1, idSize);
        return {
          kind: 'struct',
          members: Array.from({ length: Math.min(count, left) }, (_, index) => {
            const name = nameAt(numberAt(bytes, start + index * idSize, idSize));
            return [name, read(offsetOf(index), depth + 1)] as const;
          }),
        };
      }
      default: {
        const { count, offsetOf } = innerOf(at, header & 3, ((header >> 2) & 1) === 1, 0);
        return {
          kind: 'list',
          items: Array.from({ length: Math.min(count, left) }, (_, index) =>
            read(offsetOf(index), depth + 1),
          ),
        };
      }
    }
  };
  /** Returns the number of inner values, the position of their names, and the position of each value. */
  const innerOf = (at: number, offsetBits: number, isLarge: boolean, idSize: number) => {
    const offsetSize = offsetBits + 1;
    const count = numberAt(bytes, at + 1, isLarge ? 4 : 1);
    const start = at + (isLarge ? 5 : 2);
    const offsets = start + count * idSize;
    const values = offsets + (count + 1) * offsetSize;
    if (values > bytes.length) throw new BadFormat('A variant has fewer bytes than announced.');
    return {
      count,
      start,
      offsetOf: (index: number): number => values + numberAt(bytes, offsets + index * offsetSize, offsetSize),
    };
  };
  return read;
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new BadFormat('A variant ends too early.');
  return byte;
}

function numberAt(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let index = size - 1; index >= 0; index -= 1) value = value * 256 + byteAt(bytes, at + index);
  return value;
}

function part(bytes: Uint8Array, start: number, end: number): Uint8Array {
  if (start > end || end > bytes.length) throw new BadFormat('A variant has fewer bytes than announced.');
  return bytes.subarray(start, end);
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function text(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
