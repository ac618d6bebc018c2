import { BadFormat } from '../frame/bytes.ts';
import { timeUnits, type TimeUnit, UnreadableFile } from '../columnar/columnar-file.ts';
import {
  byteOf,
  elementsOf,
  intOf,
  longOf,
  shortOf,
  tableOf,
  tablesOf,
  textOf,
  type FlatTable,
} from './flat-buffer.ts';

// https://github.com/apache/arrow/blob/main/format/Schema.fbs

export interface IntType {
  readonly kind: 'int';
  readonly bits: 8 | 16 | 32 | 64;
  readonly isSigned: boolean;
}

export type ArrowType =
  | { readonly kind: 'null' }
  | { readonly kind: 'bool' }
  | IntType
  | { readonly kind: 'float'; readonly bits: 16 | 32 | 64 }
  | { readonly kind: 'decimal'; readonly bytes: number; readonly precision: number; readonly scale: number }
  | { readonly kind: 'date'; readonly isDays: boolean }
  | { readonly kind: 'time'; readonly unit: TimeUnit; readonly isLong: boolean }
  | { readonly kind: 'timestamp'; readonly unit: TimeUnit; readonly hasZone: boolean }
  | { readonly kind: 'duration'; readonly unit: TimeUnit }
  | { readonly kind: 'interval'; readonly of: 'months' | 'days' | 'nanoseconds' }
  | { readonly kind: 'bytes'; readonly isText: boolean; readonly isLong: boolean; readonly isJson?: true }
  | { readonly kind: 'view'; readonly isText: boolean; readonly isJson?: true }
  | { readonly kind: 'fixed-bytes'; readonly bytes: number; readonly isUuid?: true }
  | { readonly kind: 'list'; readonly isLong: boolean; readonly child: ArrowField }
  | { readonly kind: 'list-view'; readonly isLong: boolean; readonly child: ArrowField }
  | { readonly kind: 'fixed-list'; readonly size: number; readonly child: ArrowField }
  | { readonly kind: 'map'; readonly child: ArrowField }
  | { readonly kind: 'struct'; readonly children: readonly ArrowField[] }
  | {
      readonly kind: 'union';
      readonly isDense: boolean;
      readonly ids: readonly number[];
      readonly children: readonly ArrowField[];
    }
  | { readonly kind: 'runs'; readonly ends: ArrowField; readonly values: ArrowField }
  | { readonly kind: 'dictionary'; readonly id: number; readonly index: IntType; readonly values: ArrowType };

export interface ArrowField {
  readonly name: string;
  readonly type: ArrowType;
}

const maxDepth = 32;

/** Returns the columns of a schema. Throws if the schema is unreadable or has a column of an unknown type. */
export function fieldsOf(schema: FlatTable): readonly ArrowField[] {
  if (shortOf(schema, 0, 0) !== 0) throw new UnreadableFile('big-endian');
  return tablesOf(schema, 1).map((field) => fieldOf(field, 0));
}

function fieldOf(field: FlatTable, depth: number): ArrowField {
  if (depth > maxDepth) throw new BadFormat('The types are too deep.');
  const children = tablesOf(field, 5).map((child) => fieldOf(child, depth + 1));
  const values = extended(field, typeOf(byteOf(field, 2, 0), tableOf(field, 3), children));
  const encoding = tableOf(field, 4);
  const name = textOf(field, 0) ?? '';
  if (encoding === null) return { name, type: values };
  const index = tableOf(encoding, 1);
  return {
    name,
    type: {
      kind: 'dictionary',
      id: longOf(encoding, 0, 0),
      index: index === null ? { kind: 'int', bits: 32, isSigned: true } : intType(index),
      values,
    },
  };
}

/** Returns the type that an extension defines, or the storage type for an unknown extension (Arrow Columnar Format). */
function extended(field: FlatTable, storage: ArrowType): ArrowType {
  const name = tablesOf(field, 6).find((pair) => textOf(pair, 0) === 'ARROW:extension:name');
  const extension = name === undefined ? null : textOf(name, 1);
  if (extension === 'arrow.uuid' && storage.kind === 'fixed-bytes' && storage.bytes === 16)
    return { ...storage, isUuid: true };
  const isBytes = storage.kind === 'bytes' || storage.kind === 'view';
  return extension === 'arrow.json' && isBytes && storage.isText ? { ...storage, isJson: true } : storage;
}

function typeOf(id: number, table: FlatTable | null, children: readonly ArrowField[]): ArrowType {
  if (table === null) throw new BadFormat('A type is not described.');
  const child = (at = 0): ArrowField => {
    const nextChild = children[at];
    if (nextChild === undefined) throw new BadFormat('A type lacks a part.');
    return nextChild;
  };
  switch (id) {
    case 1:
      return { kind: 'null' };
    case 2:
      return intType(table);
    case 3:
      return { kind: 'float', bits: enumValue([16, 32, 64] as const, shortOf(table, 0, 0)) };
    case 4:
    case 5:
    case 19:
    case 20:
      return { kind: 'bytes', isText: id === 5 || id === 20, isLong: id >= 19 };
    case 6:
      return { kind: 'bool' };
    case 7: {
      const bits = intOf(table, 2, 128);
      if (![32, 64, 128, 256].includes(bits)) throw new BadFormat('A decimal is of an unknown size.');
      return { kind: 'decimal', bytes: bits / 8, precision: intOf(table, 0, 0), scale: intOf(table, 1, 0) };
    }
    case 8:
      return { kind: 'date', isDays: shortOf(table, 0, 1) === 0 };
    case 9:
      return {
        kind: 'time',
        unit: enumValue(timeUnits, shortOf(table, 0, 1)),
        isLong: intOf(table, 1, 32) === 64,
      };
    case 10:
      return {
        kind: 'timestamp',
        unit: enumValue(timeUnits, shortOf(table, 0, 0)),
        hasZone: (textOf(table, 1) ?? '') !== '',
      };
    case 11:
      return {
        kind: 'interval',
        of: enumValue(['months', 'days', 'nanoseconds'] as const, shortOf(table, 0, 0)),
      };
    case 17:
      return { kind: 'map', child: child() };
    case 12:
    case 21:
      return { kind: 'list', isLong: id === 21, child: child() };
    case 13:
      return { kind: 'struct', children };
    case 14: {
      const statedIds = elementsOf(table, 1, 4, (view, at) => view.getInt32(at, true));
      const ids = statedIds.length === 0 ? [...children.keys()] : statedIds;
      return { kind: 'union', isDense: shortOf(table, 0, 0) === 1, ids, children };
    }
    case 15:
      return { kind: 'fixed-bytes', bytes: intOf(table, 0, 0) };
    case 16:
      return { kind: 'fixed-list', size: intOf(table, 0, 0), child: child() };
    case 18:
      return { kind: 'duration', unit: enumValue(timeUnits, shortOf(table, 0, 1)) };
    case 22:
      return { kind: 'runs', ends: child(), values: child(1) };
    case 23:
    case 24:
      return { kind: 'view', isText: id === 24 };
    case 25:
    case 26:
      return { kind: 'list-view', isLong: id === 26, child: child() };
    default:
      throw new BadFormat('A type is unknown.');
  }
}

function intType(table: FlatTable): IntType {
  const bits = ([8, 16, 32, 64] as const).find((width) => width === intOf(table, 0, 0));
  if (bits === undefined) throw new BadFormat('A number is of an unknown size.');
  return { kind: 'int', bits, isSigned: byteOf(table, 1, 0) !== 0 };
}

function enumValue<T>(all: readonly T[], at: number): T {
  const entry = all[at];
  if (entry === undefined) throw new BadFormat('A type is unknown.');
  return entry;
}

/** Formats a type in Arrow's notation: `int32`, `list<utf8>`. */
export function typeName(type: ArrowType): string {
  switch (type.kind) {
    case 'int':
      return `${type.isSigned ? '' : 'u'}int${String(type.bits)}`;
    case 'float':
      return { 16: 'halffloat', 32: 'float', 64: 'double' }[type.bits];
    case 'decimal':
      return `decimal(${String(type.precision)},${String(type.scale)})`;
    case 'date':
      return type.isDays ? 'date32' : 'date64';
    case 'time':
    case 'duration':
      return `${type.kind} ${type.unit}`;
    case 'timestamp':
      return `timestamp ${type.unit}${type.hasZone ? ' UTC' : ''}`;
    case 'bytes':
    case 'view':
      return type.isJson === true ? 'json' : type.isText ? 'utf8' : 'binary';
    case 'fixed-bytes':
      return type.isUuid === true ? 'uuid' : 'binary';
    case 'list':
    case 'list-view':
    case 'fixed-list':
      return `list<${typeName(type.child.type)}>`;
    case 'runs':
      return typeName(type.values.type);
    case 'dictionary':
      return `dictionary<${typeName(type.values)}>`;
    default:
      return type.kind;
  }
}
