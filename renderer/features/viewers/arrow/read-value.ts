import { BadFormat } from '../frame/bytes.ts';
import { maxInnerValues } from '../columnar/value-text.ts';
import { littleEndianInteger, nanosecondsOf, uuidText, type Value } from '../columnar/columnar-file.ts';
import type { IntType } from './arrow-type.ts';
import type { ColumnData } from './column-data.ts';

/** The highest number of UTF-8 bytes for one UTF-16 code unit. */
const maxCharBytes = 4;

/** Returns a value in a column, with at least `maxChars` characters of a long one. Throws if the value is outside its buffers. */
export function valueAt(data: ColumnData, index: number, maxChars: number): Value {
  return read(data, index, { left: maxInnerValues(maxChars), maxBytes: maxCharBytes * (maxChars + 1) });
}

interface Budget {
  /** The number of values that may still be read. */
  left: number;
  /** Limit for each text. */
  readonly maxBytes: number;
}

function read(data: ColumnData, index: number, budget: Budget): Value {
  budget.left -= 1;
  if (budget.left < 0 || !isValid(data, index)) return null;
  const { type, buffers, children } = data;
  const [first, second] = buffers;
  switch (type.kind) {
    case 'null':
      return null;
    case 'bool':
      return bitAt(view(first), index);
    case 'int':
      return intAt(view(first), type, index);
    case 'float':
      return floatAt(view(first), type.bits, index);
    case 'decimal': {
      const unscaled = littleEndianInteger(bytesAt(view(first), index * type.bytes, type.bytes));
      return { kind: 'decimal', unscaled, scale: type.scale };
    }
    case 'date':
      return type.isDays
        ? { kind: 'date', days: view(first).getInt32(index * 4, true) }
        : millisecondDate(view(first).getBigInt64(index * 8, true));
    case 'time':
      return {
        kind: 'time',
        count: type.isLong
          ? view(first).getBigInt64(index * 8, true)
          : BigInt(view(first).getInt32(index * 4, true)),
        unit: type.unit,
      };
    case 'timestamp': {
      const count = view(first).getBigInt64(index * 8, true);
      return { kind: 'timestamp', count, unit: type.unit, isUtc: type.hasZone };
    }
    case 'duration': {
      const nanoseconds = nanosecondsOf(view(first).getBigInt64(index * 8, true), type.unit);
      return { kind: 'interval', months: 0, days: 0, nanoseconds };
    }
    case 'interval':
      return intervalAt(view(first), type.of, index);
    case 'bytes': {
      const [start, end] = offsetsAt(view(first), type.isLong, index);
      return jsonOr(bytesOf(view(second), start, end, type.isText, budget), type.isJson);
    }
    case 'view':
      return jsonOr(viewed(buffers, index, type.isText, budget), type.isJson);
    case 'fixed-bytes':
      return type.isUuid === true
        ? uuidText(bytesAt(view(first), index * type.bytes, type.bytes))
        : bytesOf(view(first), index * type.bytes, (index + 1) * type.bytes, false, budget);
    case 'list': {
      const [start, end] = offsetsAt(view(first), type.isLong, index);
      return listOf(children[0], start, end, budget);
    }
    case 'list-view': {
      const start = longOrInt(view(first), type.isLong, index);
      return listOf(children[0], start, start + longOrInt(view(second), type.isLong, index), budget);
    }
    case 'fixed-list':
      return listOf(children[0], index * type.size, (index + 1) * type.size, budget);
    case 'map': {
      const [start, end] = offsetsAt(view(first), false, index);
      const { items } = listOf(children[0], start, end, budget);
      return { kind: 'map', entries: items.map(entryOf) };
    }
    case 'struct': {
      const members: (readonly [string, Value])[] = [];
      for (const [at, { name }] of type.children.entries()) {
        const child = children[at];
        if (budget.left <= 0 || child === undefined) break;
        members.push([name, read(child, index, budget)]);
      }
      return { kind: 'struct', members };
    }
    case 'union': {
      const at = type.ids.indexOf(view(first).getInt8(index));
      const child = children[at];
      if (child === undefined) throw new BadFormat('A value is of none of its types.');
      return read(child, type.isDense ? view(second).getInt32(index * 4, true) : index, budget);
    }
    case 'runs':
      return runAt(data, index, budget);
    default:
      return fromDictionary(data, Number(intAt(view(first), type.index, index)), budget);
  }
}

function view(buffer: DataView | undefined): DataView {
  if (buffer === undefined) throw new BadFormat('A column lacks a buffer.');
  return buffer;
}

function isValid({ validity }: ColumnData, index: number): boolean {
  return validity.byteLength === 0 || bitAt(validity, index);
}

function bitAt(bits: DataView, index: number): boolean {
  return ((bits.getUint8(Math.floor(index / 8)) >> (index % 8)) & 1) === 1;
}

function intAt(numbers: DataView, { bits, isSigned }: IntType, index: number): number | bigint {
  switch (bits) {
    case 8:
      return isSigned ? numbers.getInt8(index) : numbers.getUint8(index);
    case 16:
      return isSigned ? numbers.getInt16(index * 2, true) : numbers.getUint16(index * 2, true);
    case 32:
      return isSigned ? numbers.getInt32(index * 4, true) : numbers.getUint32(index * 4, true);
    default:
      return isSigned ? numbers.getBigInt64(index * 8, true) : numbers.getBigUint64(index * 8, true);
  }
}

function floatAt(numbers: DataView, bits: 16 | 32 | 64, index: number): Value {
  if (bits === 64) return numbers.getFloat64(index * 8, true);
  const value = bits === 32 ? numbers.getFloat32(index * 4, true) : numbers.getFloat16(index * 2, true);
  return { kind: 'float', bits, value };
}

function longOrInt(numbers: DataView, isLong: boolean, index: number): number {
  return isLong ? Number(numbers.getBigInt64(index * 8, true)) : numbers.getInt32(index * 4, true);
}

function offsetsAt(offsets: DataView, isLong: boolean, index: number): readonly [number, number] {
  return [longOrInt(offsets, isLong, index), longOrInt(offsets, isLong, index + 1)];
}

function bytesOf(
  buffer: DataView,
  start: number,
  end: number,
  isText: boolean,
  { maxBytes }: Budget,
): string | Uint8Array {
  if (start < 0 || end < start || end > buffer.byteLength)
    throw new BadFormat('A value is outside its buffer.');
  const length = Math.min(end - start, maxBytes);
  const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset + start, length);
  return isText
    ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: length < end - start })
    : bytes;
}

function viewed(
  buffers: readonly DataView[],
  index: number,
  isText: boolean,
  budget: Budget,
): string | Uint8Array {
  const views = view(buffers[0]);
  const at = index * 16;
  const length = views.getInt32(at, true);
  if (length <= 12) return bytesOf(views, at + 4, at + 4 + length, isText, budget);
  const start = views.getInt32(at + 12, true);
  return bytesOf(view(buffers[1 + views.getInt32(at + 8, true)]), start, start + length, isText, budget);
}

function listOf(
  child: ColumnData | undefined,
  start: number,
  end: number,
  budget: Budget,
): Extract<Value, { readonly kind: 'list' }> {
  if (child === undefined || start < 0 || end < start) throw new BadFormat('A list is outside its column.');
  const items: Value[] = [];
  for (let at = start; at < end && budget.left > 0; at += 1) items.push(read(child, at, budget));
  return { kind: 'list', items };
}

function entryOf(entry: Value): readonly [Value, Value] {
  if (entry === null || typeof entry !== 'object' || entry instanceof Uint8Array || entry.kind !== 'struct')
    throw new BadFormat('A map has no entries.');
  const [key, value] = entry.members;
  return [key?.[1] ?? null, value?.[1] ?? null];
}

function runAt({ children: [ends, values] }: ColumnData, index: number, budget: Budget): Value {
  if (ends?.type.kind !== 'int' || values === undefined) throw new BadFormat('A column of runs has no runs.');
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (Number(intAt(view(ends.buffers[0]), ends.type, middle)) <= index) low = middle + 1;
    else high = middle;
  }
  return read(values, low, budget);
}

function fromDictionary({ dictionary }: ColumnData, key: number, budget: Budget): Value {
  let at = key;
  for (const part of dictionary) {
    if (at < part.length) return read(part, at, budget);
    at -= part.length;
  }
  throw new BadFormat('A value is not in its dictionary.');
}

function bytesAt({ buffer, byteOffset, byteLength }: DataView, at: number, length: number): Uint8Array {
  if (at + length > byteLength) throw new BadFormat('A value is outside its buffer.');
  return new Uint8Array(buffer, byteOffset + at, length);
}

function jsonOr(value: string | Uint8Array, isJson = false): Value {
  return isJson && typeof value === 'string' ? { kind: 'json', text: value } : value;
}

const millisecondsPerDay = 86_400_000n;

/** Converts a date in milliseconds. Not all writers store whole days. */
function millisecondDate(count: bigint): Value {
  if (count % millisecondsPerDay === 0n) return { kind: 'date', days: Number(count / millisecondsPerDay) };
  return { kind: 'timestamp', count, unit: 'ms', isUtc: false };
}

function intervalAt(buffer: DataView, of: 'months' | 'days' | 'nanoseconds', index: number): Value {
  const int = (at: number): number => buffer.getInt32(at, true);
  if (of === 'months') return { kind: 'interval', months: int(index * 4), days: 0, nanoseconds: 0n };
  if (of === 'days') {
    const nanoseconds = nanosecondsOf(BigInt(int(index * 8 + 4)), 'ms');
    return { kind: 'interval', months: 0, days: int(index * 8), nanoseconds };
  }
  const at = index * 16;
  return {
    kind: 'interval',
    months: int(at),
    days: int(at + 4),
    nanoseconds: buffer.getBigInt64(at + 8, true),
  };
}
