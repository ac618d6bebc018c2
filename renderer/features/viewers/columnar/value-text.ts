import { BadFormat, viewOf } from '../frame/bytes.ts';
import { countPerSecond, type TimeUnit, type TypedValue, type Value } from './columnar-file.ts';

const secondsPerDay = 86_400n;

/** Formats a day, counted from 1970-01-01, as ISO 8601. Does not use `Date`, which covers fewer years than 64 bits do. */
function dateText(days: number): string {
  // The calendar repeats every 400 years. Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${yearText(year)}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** Formats a time of day with as many digits as its unit has. */
function clockText(count: bigint, unit: TimeUnit): string {
  const perSecond = countPerSecond(unit);
  if (count < 0n || count > secondsPerDay * perSecond) return `${String(count)} ${unit}`;
  const seconds = Number(count / perSecond);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return clock.map(twoDigits).join(':') + fraction(count % perSecond, perSecond);
}

/** Formats a timestamp as ISO 8601 with as many digits as its unit has. */
function timestampText(count: bigint, unit: TimeUnit, isUtc: boolean): string {
  const perDay = secondsPerDay * countPerSecond(unit);
  const ofDay = ((count % perDay) + perDay) % perDay;
  return `${dateText(Number((count - ofDay) / perDay))}T${clockText(ofDay, unit)}${isUtc ? 'Z' : ''}`;
}

/** Formats a duration as ISO 8601, such as `P1M2DT3.5S`. Does not convert months, days and nanoseconds into each other. */
function intervalText(months: number, days: number, nanoseconds: bigint): string {
  const parts = [months === 0 ? '' : `${String(months)}M`, days === 0 ? '' : `${String(days)}D`].join('');
  if (nanoseconds === 0n && parts !== '') return `P${parts}`;
  const perSecond = countPerSecond('ns');
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const rest = fraction(size % perSecond, perSecond).replace(/\.?0*$/, '');
  return `P${parts}T${nanoseconds < 0n ? '-' : ''}${String(size / perSecond)}${rest}S`;
}

function fraction(rest: bigint, perSecond: bigint): string {
  return perSecond === 1n ? '' : `.${String(rest).padStart(String(perSecond).length - 1, '0')}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function yearText(year: number): string {
  return `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}`;
}

/** Limit of a text in a cell, in characters. */
export const maxValueTextLength = 500;
/** Limit of a value that is shown in full, in characters. */
export const maxWholeTextLength = 1_000_000;

/** Returns the highest number of nested values that fit into a text of this length. Each value takes at least one character. */
export function maxInnerValues(maxChars: number): number {
  return 2 * maxChars;
}

const cutMark = '…';

/**
 * Formats a value as one line of text, in the same way for every file format: numbers with all digits, times as ISO 8601, bytes
 * as hex, nested values as JSON. null stays null. A longer text is cut and ends in `…`; the rest of the value is not read.
 */
export function valueText(value: Value, maxChars = maxValueTextLength): string | null {
  if (value === null) return null;
  const pieces: string[] = [];
  let left = maxChars;
  const put = (text: string): void => {
    if (left >= 0) pieces.push(text.slice(0, left + 1));
    left -= text.length;
  };
  putValue(value, { put, hasRoom: () => left >= 0, maxChars }, false);
  const text = pieces.join('');
  return text.length > maxChars ? text.slice(0, maxChars) + cutMark : text;
}

interface TextSink {
  readonly put: (text: string) => void;
  readonly hasRoom: () => boolean;
  readonly maxChars: number;
}

function putValue(value: Value, page: TextSink, isNested: boolean): void {
  const { put, maxChars } = page;
  if (typeof value === 'string') putText(value.slice(0, maxChars + 1), put, isNested);
  else if (value === null) put('null');
  else if (typeof value === 'number') put(numberText(value));
  else if (typeof value !== 'object') put(String(value));
  else if (value instanceof Uint8Array) put(hex(value.subarray(0, maxChars)));
  else if (value.kind === 'list' || value.kind === 'struct' || value.kind === 'map') putNested(value, page);
  else if (value.kind === 'json') put(value.text);
  else if (value.kind === 'geometry')
    putText(geometryText(value.bytes, maxInnerValues(maxChars)), put, isNested);
  else if (value.kind === 'decimal') put(decimalText(value.unscaled, value.scale));
  else if (value.kind === 'float') put(numberText(shortest(value.value, value.bits)));
  else putText(momentText(value), put, isNested);
}

function putText(text: string, put: (text: string) => void, isNested: boolean): void {
  put(isNested ? JSON.stringify(text) : text);
}

type Nested = Extract<TypedValue, { kind: 'list' | 'struct' | 'map' }>;

function putNested(value: Nested, page: TextSink): void {
  const { put, hasRoom } = page;
  let isFirst = true;
  const separate = (): void => {
    if (!isFirst) put(',');
    isFirst = false;
  };
  put(value.kind === 'list' ? '[' : '{');
  if (value.kind === 'list')
    for (const item of value.items) {
      if (!hasRoom()) return;
      separate();
      putValue(item, page, true);
    }
  else
    for (const [key, member] of value.kind === 'struct' ? value.members : value.entries) {
      if (!hasRoom()) return;
      separate();
      putValue(key, page, true);
      put(':');
      putValue(member, page, true);
    }
  put(value.kind === 'list' ? ']' : '}');
}

function momentText(
  value: Extract<TypedValue, { kind: 'date' | 'time' | 'timestamp' | 'interval' }>,
): string {
  switch (value.kind) {
    case 'date':
      return dateText(value.days);
    case 'time':
      return clockText(value.count, value.unit);
    case 'timestamp':
      return timestampText(value.count, value.unit, value.isUtc);
    default:
      return intervalText(value.months, value.days, value.nanoseconds);
  }
}

function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Returns the double with the fewest digits that rounds to the same 16- or 32-bit float: 0.1, not 0.10000000149011612. */
function shortest(value: number, bits: 16 | 32): number {
  // Whole numbers keep all digits.
  if (!Number.isFinite(value) || Number.isSafeInteger(value)) return value;
  const round = bits === 16 ? Math.f16round : Math.fround;
  for (let digits = 1; digits <= 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (round(short) === value) return short;
  }
  return value;
}

function decimalText(unscaled: bigint, scale: number): string {
  if (scale === 0) return String(unscaled);
  if (scale < 0 || scale > 1000) return `${String(unscaled)}e${String(-scale)}`;
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function hex(bytes: Uint8Array): string {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

const names = [
  'POINT',
  'LINESTRING',
  'POLYGON',
  'MULTIPOINT',
  'MULTILINESTRING',
  'MULTIPOLYGON',
  'GEOMETRYCOLLECTION',
] as const;
const maxDepth = 32;

/**
 * Converts well-known binary to well-known text with all digits, up to `maxPoints` points. Also reads the dimension flags of
 * PostGIS. Throws BadFormat. Source: OGC 06-103r4 §8.
 */
export function geometryText(bytes: Uint8Array, maxPoints: number): string {
  const view = viewOf(bytes);
  const pieces: string[] = [];
  let at = 0;
  let left = maxPoints;

  const uint = (isLittle: boolean): number => {
    at += 4;
    return view.getUint32(at - 4, isLittle);
  };
  const position = (dimensions: number, isLittle: boolean): readonly number[] =>
    Array.from({ length: dimensions }, () => {
      at += 8;
      return view.getFloat64(at - 8, isLittle);
    });
  /** Appends `( … , … )`, or `EMPTY`. */
  const list = (count: number, put: () => void): void => {
    if (count === 0) {
      pieces.push('EMPTY');
      return;
    }
    pieces.push('(');
    for (let index = 0; index < count && left > 0; index += 1) {
      left -= 1;
      if (index > 0) pieces.push(', ');
      put();
    }
    pieces.push(')');
  };
  const geometry = (depth: number, isNamed: boolean): void => {
    if (depth > maxDepth) throw new BadFormat('A geometry is too deep.');
    const isLittle = view.getUint8(at) === 1;
    at += 1;
    const type = uint(isLittle);
    const base = type & 0x0f_ff_ff_ff;
    const kind = base % 1000;
    const code = Math.floor(base / 1000);
    const hasZ = code === 1 || code === 3 || type >= 0x80_00_00_00;
    const hasM = code === 2 || code === 3 || (type & 0x40_00_00_00) !== 0;
    // Skips the number of the coordinate system.
    if ((type & 0x20_00_00_00) !== 0) at += 4;
    const name = names[kind - 1];
    if (name === undefined) throw new BadFormat('A geometry is of an unknown kind.');
    const suffix = `${hasZ ? 'Z' : ''}${hasM ? 'M' : ''}`;
    if (isNamed) pieces.push(`${name} ${suffix === '' ? '' : `${suffix} `}`);
    const dimensions = 2 + suffix.length;
    const point = (): void => void pieces.push(position(dimensions, isLittle).join(' '));
    const line = (): void => list(uint(isLittle), point);
    if (kind === 1) {
      const coordinates = position(dimensions, isLittle);
      list(coordinates.every(Number.isNaN) ? 0 : 1, () => pieces.push(coordinates.join(' ')));
    } else if (kind === 2) line();
    else if (kind === 3) list(uint(isLittle), line);
    else list(uint(isLittle), () => geometry(depth + 1, kind === 7));
  };
  geometry(0, true);
  return pieces.join('');
}
