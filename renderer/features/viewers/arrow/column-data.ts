import { decompress } from 'fzstd';
import { BadFormat, viewOf } from '../frame/bytes.ts';
import type { ArrowType } from './arrow-type.ts';
import { longAt } from './flat-buffer.ts';
import { unpackLz4 } from './lz4-frame.ts';
import type { BatchHeader } from './message.ts';

/** The buffers of a column in one batch. */
export interface ColumnData {
  readonly type: ArrowType;
  readonly length: number;
  /** Empty if there are no nulls. */
  readonly validity: DataView;
  /** The buffers in the order of the format, without the validity buffer. */
  readonly buffers: readonly DataView[];
  readonly children: readonly ColumnData[];
  /** The values of a dictionary column, in parts as read from the file. */
  readonly dictionary: readonly ColumnData[];
}

/** A position in the lists of a batch. */
export interface ArrowBatchPlace {
  readonly node: number;
  readonly buffer: number;
  readonly variadic: number;
}

export const batchStart: ArrowBatchPlace = { node: 0, buffer: 0, variadic: 0 };

/** Returns the position after a column in the lists of a batch. */
export function placeBehind(type: ArrowType, place: ArrowBatchPlace, header: BatchHeader): ArrowBatchPlace {
  const next = { ...place, node: place.node + 1, buffer: place.buffer + bufferCount(type, header.isOld) };
  if (type.kind === 'view') {
    const count = header.variadic[place.variadic] ?? 0;
    if (count < 0 || count > header.buffers.length) throw new BadFormat('A column has too many buffers.');
    return { ...next, buffer: next.buffer + count, variadic: next.variadic + 1 };
  }
  return childTypes(type).reduce((at, child) => placeBehind(child, at, header), next);
}

/** Counts the buffers of a type. Includes the validity buffer if the type has one, but not the variadic buffers of views. */
function bufferCount(type: ArrowType, isOld: boolean): number {
  switch (type.kind) {
    case 'null':
    case 'runs':
      return 0;
    case 'struct':
    case 'fixed-list':
      return 1;
    case 'union':
      return (isOld ? 1 : 0) + (type.isDense ? 2 : 1);
    case 'bytes':
    case 'list-view':
      return 3;
    default:
      return 2;
  }
}

function childTypes(type: ArrowType): readonly ArrowType[] {
  switch (type.kind) {
    case 'list':
    case 'list-view':
    case 'fixed-list':
    case 'map':
      return [type.child.type];
    case 'struct':
    case 'union':
      return type.children.map((child) => child.type);
    case 'runs':
      return [type.ends.type, type.values.type];
    default:
      return [];
  }
}

/** Returns every dictionary that a type needs. */
export function dictionariesOf(type: ArrowType): ReadonlyMap<number, ArrowType> {
  const found = new Map<number, ArrowType>();
  const visit = (nested: ArrowType): void => {
    if (nested.kind === 'dictionary') {
      if (found.has(nested.id)) return;
      found.set(nested.id, nested.values);
      visit(nested.values);
    } else for (const child of childTypes(nested)) visit(child);
  };
  visit(type);
  return found;
}

interface Body {
  readonly header: BatchHeader;
  /** A section of the body, starting at its byte `start`. */
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly maxBytes: number;
  readonly dictionary: (id: number) => readonly ColumnData[];
}

/** Returns the data of a column whose buffers are in these bytes. Throws if they decompress to more than `maxBytes`. */
export function columnData(type: ArrowType, place: ArrowBatchPlace, body: Body): ColumnData {
  let { node, buffer, variadic } = place;
  let leftBytes = body.maxBytes;
  const nextBuffer = (): DataView => {
    const region = body.header.buffers[buffer];
    buffer += 1;
    if (region === undefined) throw new BadFormat('A column lacks a buffer.');
    const from = region.offset - body.start;
    const packed = body.bytes.subarray(from, from + region.length);
    if (region.length > 0 && packed.length !== region.length)
      throw new BadFormat('A buffer ends after the file.');
    const bytes = unpacked(packed, body.header.codec, leftBytes);
    leftBytes -= bytes.length;
    return viewOf(bytes);
  };
  const build = (nested: ArrowType): ColumnData => {
    const length = body.header.nodes[node];
    node += 1;
    if (length === undefined) throw new BadFormat('A column is not described.');
    const hasValidity =
      nested.kind !== 'null' && nested.kind !== 'runs' && (nested.kind !== 'union' || body.header.isOld);
    const validity = hasValidity ? nextBuffer() : nothing;
    const count = bufferCount(nested, body.header.isOld) - (hasValidity ? 1 : 0);
    const buffers = Array.from({ length: count }, nextBuffer);
    if (nested.kind === 'view') {
      const further = body.header.variadic[variadic] ?? 0;
      variadic += 1;
      for (let at = 0; at < further; at += 1) buffers.push(nextBuffer());
    }
    const dictionary = nested.kind === 'dictionary' ? body.dictionary(nested.id) : [];
    return { type: nested, length, validity, buffers, children: childTypes(nested).map(build), dictionary };
  };
  return build(type);
}

const nothing = new DataView(new ArrayBuffer(0));

function unpacked(packed: Uint8Array, codec: BatchHeader['codec'], maxBytes: number): Uint8Array {
  if (codec === null || packed.length === 0) return packed;
  const size = longAt(viewOf(packed), 0);
  const bytes = packed.subarray(8);
  if (size === -1) return bytes;
  if (size < 0 || size > maxBytes) throw new BadFormat('A buffer is too large, unpacked.');
  const whole = codec === 'lz4' ? unpackLz4(bytes, size) : decompress(bytes, new Uint8Array(size));
  if (whole.length !== size) throw new BadFormat('A buffer has fewer bytes than announced.');
  return whole;
}
