import { BadFormat } from '../archive/archive.ts';
import type { IntType, TimeUnit } from './arrow-type.ts';
import type { ColumnData } from './column-data.ts';

/** As many values inside of one are looked at; more are not shown. */
const mostInside = 300;
/** As many bytes of a text are read. */
const mostTextBytes = 2048;

/** A value of a column, long ones cut. Throws if it is outside its buffers. */
export function valueAt(data: ColumnData, index: number): unknown {
  return read(data, index, { left: mostInside });
}

interface Budget {
  left: number;
}

function read(data: ColumnData, index: number, budget: Budget): unknown {
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
    case 'decimal':
      return decimalText(bigAt(view(first), index * type.bytes, type.bytes), type.scale);
    case 'date':
      return new Date(
        type.isDays
          ? view(first).getInt32(index * 4, true) * 86_400_000
          : Number(view(first).getBigInt64(index * 8, true)),
      );
    case 'time': {
      const raw = type.isLong
        ? view(first).getBigInt64(index * 8, true)
        : BigInt(view(first).getInt32(index * 4, true));
      return momentText(raw, type.unit).slice(11);
    }
    case 'timestamp':
      return momentText(view(first).getBigInt64(index * 8, true), type.unit) + (type.hasZone ? 'Z' : '');
    case 'duration':
      return `${String(view(first).getBigInt64(index * 8, true))} ${type.unit}`;
    case 'interval':
      return intervalText(view(first), type.of, index);
    case 'bytes': {
      const [start, end] = offsetsAt(view(first), type.isLong, index);
      return bytesOf(view(second), start, end, type.isText);
    }
    case 'view':
      return viewed(buffers, index, type.isText);
    case 'fixed-bytes':
      return bytesOf(view(first), index * type.bytes, (index + 1) * type.bytes, false);
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
    case 'struct': {
      const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
      for (const [at, { name }] of type.children.entries()) {
        const child = children[at];
        if (budget.left <= 0 || child === undefined) break;
        values[name] = read(child, index, budget);
      }
      return values;
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

function floatAt(numbers: DataView, bits: 16 | 32 | 64, index: number): number {
  if (bits === 64) return numbers.getFloat64(index * 8, true);
  if (bits === 32) return shortest(numbers.getFloat32(index * 4, true));
  const raw = numbers.getUint16(index * 2, true);
  const exponent = (raw >> 10) & 31;
  const fraction = (raw & 1023) / 1024;
  const sign = raw >> 15 === 0 ? 1 : -1;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (exponent === 0 ? 2 ** -14 * fraction : 2 ** (exponent - 15) * (1 + fraction));
}

/** 0.1 as it was written, not 0.10000000149011612. */
function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

function longOrInt(numbers: DataView, isLong: boolean, index: number): number {
  return isLong ? Number(numbers.getBigInt64(index * 8, true)) : numbers.getInt32(index * 4, true);
}

function offsetsAt(offsets: DataView, isLong: boolean, index: number): readonly [number, number] {
  return [longOrInt(offsets, isLong, index), longOrInt(offsets, isLong, index + 1)];
}

function bytesOf(buffer: DataView, start: number, end: number, isText: boolean): string | Uint8Array {
  if (start < 0 || end < start || end > buffer.byteLength)
    throw new BadFormat('A value is outside its buffer.');
  const length = Math.min(end - start, mostTextBytes);
  const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset + start, length);
  return isText ? new TextDecoder().decode(bytes, { stream: length < end - start }) : bytes;
}

function viewed(buffers: readonly DataView[], index: number, isText: boolean): string | Uint8Array {
  const views = view(buffers[0]);
  const at = index * 16;
  const length = views.getInt32(at, true);
  if (length <= 12) return bytesOf(views, at + 4, at + 4 + length, isText);
  const start = views.getInt32(at + 12, true);
  return bytesOf(view(buffers[1 + views.getInt32(at + 8, true)]), start, start + length, isText);
}

function listOf(
  child: ColumnData | undefined,
  start: number,
  end: number,
  budget: Budget,
): readonly unknown[] {
  if (child === undefined || start < 0 || end < start) throw new BadFormat('A list is outside its column.');
  const values: unknown[] = [];
  for (let at = start; at < end && budget.left > 0; at += 1) values.push(read(child, at, budget));
  return values;
}

function runAt({ children: [ends, values] }: ColumnData, index: number, budget: Budget): unknown {
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

function fromDictionary({ dictionary }: ColumnData, key: number, budget: Budget): unknown {
  let at = key;
  for (const part of dictionary) {
    if (at < part.length) return read(part, at, budget);
    at -= part.length;
  }
  throw new BadFormat('A value is not in its dictionary.');
}

function bigAt(buffer: DataView, at: number, bytes: number): bigint {
  if (bytes === 4) return BigInt(buffer.getInt32(at, true));
  let value = buffer.getBigInt64(at + bytes - 8, true);
  for (let part = bytes - 16; part >= 0; part -= 8)
    value = (value << 64n) | buffer.getBigUint64(at + part, true);
  return value;
}

function decimalText(value: bigint, scale: number): string {
  if (scale <= 0 || scale > 100) return scale === 0 ? String(value) : `${String(value)}e${String(-scale)}`;
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

const perSecond: Readonly<Record<TimeUnit, bigint>> = {
  s: 1n,
  ms: 1000n,
  µs: 1_000_000n,
  ns: 1_000_000_000n,
};

/** In the form of ISO 8601, without a zone, with as many digits as the unit has. */
function momentText(raw: bigint, unit: TimeUnit): string {
  const parts = perSecond[unit];
  const rest = ((raw % parts) + parts) % parts;
  const date = new Date(Number((raw - rest) / parts) * 1000);
  if (Number.isNaN(date.getTime())) return `${String(raw)} ${unit}`;
  const digits = String(parts).length - 1;
  const text = date.toISOString().slice(0, -5);
  return digits === 0 ? text : `${text}.${String(rest).padStart(digits, '0')}`;
}

function intervalText(buffer: DataView, of: 'months' | 'days' | 'nanoseconds', index: number): string {
  const int = (at: number): string => String(buffer.getInt32(at, true));
  if (of === 'months') return `${int(index * 4)} mo`;
  if (of === 'days') return `${int(index * 8)} d ${int(index * 8 + 4)} ms`;
  const at = index * 16;
  return `${int(at)} mo ${int(at + 4)} d ${String(buffer.getBigInt64(at + 8, true))} ns`;
}
