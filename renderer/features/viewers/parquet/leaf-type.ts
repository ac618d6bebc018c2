import type { ParquetType, SchemaElement, TimeUnit as ParquetUnit } from 'hyparquet/src/types.js';
import { BadFormat, viewOf } from '../frame/bytes.ts';
import {
  bigEndianInteger,
  littleEndianInteger,
  uuidText,
  type TimeUnit,
  type Value,
} from '../columnar/columnar-file.ts';

/** How the values of a leaf column are displayed. */
export interface LeafType {
  readonly text: string;
  readonly isNumeric: boolean;
  /** Converts a stored value for display. Throws BadFormat. */
  readonly valueOf: (raw: unknown) => Value;
}

const units: ReadonlyMap<ParquetUnit, TimeUnit> = new Map([
  ['MILLIS', 'ms'],
  ['MICROS', 'µs'],
  ['NANOS', 'ns'],
]);

/**
 * Returns the annotated type of a leaf if it fits the storage type, otherwise the storage type. Source: apache/parquet-format
 * LogicalTypes.md.
 */
export function leafType(element: SchemaElement): LeafType {
  return annotated(element) ?? physical(element);
}

function annotated(element: SchemaElement): LeafType | null {
  const { type, type_length: length, logical_type: logical, converted_type: converted } = element;
  const annotation = logical?.type ?? converted;
  const ofBytes = annotation === undefined ? undefined : byteTypes[annotation];
  if (ofBytes !== undefined) return isBytes(type) ? ofBytes : null;
  switch (annotation) {
    case 'UUID':
      return type === 'FIXED_LEN_BYTE_ARRAY' && length === 16
        ? plain('uuid', (raw) => uuidText(bytesOf(raw)))
        : null;
    case 'FLOAT16':
      return type === 'FIXED_LEN_BYTE_ARRAY' && length === 2 ? halfType : null;
    case 'NULL':
      return plain('null', () => null);
    case 'DECIMAL':
      return decimal(element);
    case 'DATE':
      return type === 'INT32'
        ? plain('date', (raw) => ({ kind: 'date', days: Number(integerOf(raw)) }))
        : null;
    default:
      return time(element) ?? integer(element) ?? interval(element);
  }
}

function physical({ type, type_length: length }: SchemaElement): LeafType {
  switch (type) {
    case 'BOOLEAN':
      return plain('boolean', (raw) => raw === true);
    case 'INT32':
    case 'INT64':
      return { text: type.toLowerCase(), isNumeric: true, valueOf: integerOf };
    case 'INT96':
      // INT96 has no annotation. Writers use it for timestamps without a time zone.
      return plain('timestamp ns', (raw) => ({
        kind: 'timestamp',
        count: int96Nanoseconds(bytesOf(raw)),
        unit: 'ns',
        isUtc: false,
      }));
    case 'FLOAT':
      return {
        text: 'float',
        isNumeric: true,
        valueOf: (raw) => ({ kind: 'float', bits: 32, value: numberOf(raw) }),
      };
    case 'DOUBLE':
      return { text: 'double', isNumeric: true, valueOf: numberOf };
    case 'BYTE_ARRAY':
      return plain('binary', bytesOf);
    case 'FIXED_LEN_BYTE_ARRAY':
      return plain(`binary(${String(length ?? 0)})`, bytesOf);
    default:
      throw new BadFormat('The type of a column is unknown.');
  }
}

function plain(text: string, valueOf: LeafType['valueOf']): LeafType {
  return { text, isNumeric: false, valueOf };
}

const halfType: LeafType = {
  text: 'float16',
  isNumeric: true,
  valueOf: (raw) => ({ kind: 'float', bits: 16, value: viewOf(bytesOf(raw)).getFloat16(0, true) }),
};

function decimal({ type, logical_type: logical, scale, precision }: SchemaElement): LeafType | null {
  if (type !== 'INT32' && type !== 'INT64' && !isBytes(type)) return null;
  const digits = logical?.type === 'DECIMAL' ? logical : { scale, precision };
  const { scale: behind = 0 } = digits;
  return {
    text: `decimal(${String(digits.precision ?? '?')},${String(behind)})`,
    isNumeric: true,
    valueOf: (raw) => ({
      kind: 'decimal',
      unscaled: raw instanceof Uint8Array ? bigEndianInteger(raw) : BigInt(integerOf(raw)),
      scale: behind,
    }),
  };
}

function time(element: SchemaElement): LeafType | null {
  const { type, logical_type: logical, converted_type: converted } = element;
  if (type !== 'INT32' && type !== 'INT64') return null;
  const [, old, oldUnit] = /^(TIME|TIMESTAMP)_(MILLIS|MICROS)$/.exec(converted ?? '') ?? [];
  const {
    type: kind,
    unit,
    isUtc,
  } = logical?.type === 'TIME' || logical?.type === 'TIMESTAMP'
    ? { type: logical.type, unit: units.get(logical.unit), isUtc: logical.isAdjustedToUTC }
    : { type: old, unit: oldUnit === 'MILLIS' ? ('ms' as const) : ('µs' as const), isUtc: true };
  // Later versions may add units.
  if (unit === undefined) return null;
  const text = `${kind?.toLowerCase() ?? ''} ${unit}${isUtc ? ' UTC' : ''}`;
  if (kind === 'TIME') return plain(text, (raw) => ({ kind: 'time', count: BigInt(integerOf(raw)), unit }));
  if (kind !== 'TIMESTAMP') return null;
  return plain(text, (raw) => ({ kind: 'timestamp', count: BigInt(integerOf(raw)), unit, isUtc }));
}

function integer({ type, logical_type: logical, converted_type: converted }: SchemaElement): LeafType | null {
  if (type !== 'INT32' && type !== 'INT64') return null;
  const [, unsigned, size] = /^(U?)INT_(8|16|32|64)$/.exec(converted ?? '') ?? [];
  const isSigned = logical?.type === 'INTEGER' ? logical.isSigned : unsigned === '';
  const bits = logical?.type === 'INTEGER' ? logical.bitWidth : Number(size);
  if (bits !== 8 && bits !== 16 && bits !== 32 && bits !== 64) return null;
  return {
    text: `${isSigned ? '' : 'u'}int${String(bits)}`,
    isNumeric: true,
    valueOf: (raw) => (isSigned ? integerOf(raw) : BigInt.asUintN(bits, BigInt(integerOf(raw)))),
  };
}

/** Returns the type of an interval, which has three unsigned numbers: months, days and milliseconds. */
function interval({ type, type_length: length, converted_type: converted }: SchemaElement): LeafType | null {
  if (converted !== 'INTERVAL' || type !== 'FIXED_LEN_BYTE_ARRAY' || length !== 12) return null;
  return plain('interval', (raw) => {
    const view = viewOf(bytesOf(raw));
    const nanoseconds = BigInt(view.getUint32(8, true)) * 1_000_000n;
    return { kind: 'interval', months: view.getUint32(0, true), days: view.getUint32(4, true), nanoseconds };
  });
}

/** The annotations of bytes of any length. */
const byteTypes: Readonly<Record<string, LeafType>> = {
  STRING: plain('string', textOf),
  UTF8: plain('string', textOf),
  ENUM: plain('enum', textOf),
  JSON: plain('json', (raw) => ({ kind: 'json', text: textOf(raw) })),
  BSON: plain('bson', bytesOf),
  GEOMETRY: plain('geometry', geometryOf),
  GEOGRAPHY: plain('geography', geometryOf),
};

const julianDayOf1970 = 2_440_588n;

/**
 * Converts INT96: nanoseconds in the day, then the Julian day. Spark uses 64-bit microseconds, which overflow for distant years
 * (apache/parquet-testing, int96_from_spark.md).
 */
function int96Nanoseconds(bytes: Uint8Array): bigint {
  const days = littleEndianInteger(bytes.subarray(8)) - julianDayOf1970;
  const count = days * 86_400_000_000_000n + littleEndianInteger(bytes.subarray(0, 8));
  const rest = ((count % 1000n) + 1000n) % 1000n;
  return BigInt.asIntN(64, (count - rest) / 1000n) * 1000n + rest;
}

function isBytes(type: ParquetType | undefined): boolean {
  return type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY';
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function textOf(raw: unknown): string {
  return decoder.decode(bytesOf(raw));
}

function geometryOf(raw: unknown): Value {
  return { kind: 'geometry', bytes: bytesOf(raw) };
}

function bytesOf(raw: unknown): Uint8Array {
  if (raw instanceof Uint8Array) return raw;
  throw new BadFormat('A value is not bytes.');
}

function integerOf(raw: unknown): number | bigint {
  if (typeof raw === 'number' || typeof raw === 'bigint') return raw;
  throw new BadFormat('A value is not a number.');
}

function numberOf(raw: unknown): number {
  if (typeof raw === 'number') return raw;
  throw new BadFormat('A value is not a number.');
}
