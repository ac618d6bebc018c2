import { BadFormat, viewOf } from '../frame/bytes.ts';

/** A FlatBuffer (https://flatbuffers.dev/internals/). Reads outside the buffer throw RangeError. */
export interface FlatBuffer {
  readonly view: DataView;
  /**
   * Counts the bytes read from vectors and texts, and throws beyond a limit, since many references may point to the same bytes.
   */
  readonly spend: (bytes: number) => void;
}

export interface FlatTable {
  readonly buffer: FlatBuffer;
  readonly at: number;
  readonly vtable: number;
  readonly vtableBytes: number;
}

const timesRead = 8;

export function flatBuffer(bytes: Uint8Array): FlatBuffer {
  const view = viewOf(bytes);
  let left = bytes.byteLength * timesRead;
  return {
    view,
    spend: (count) => {
      left -= count;
      if (left < 0) throw new BadFormat('A description repeats itself without an end.');
    },
  };
}

export function rootTable(buffer: FlatBuffer): FlatTable {
  return tableAt(buffer, buffer.view.getUint32(0, true));
}

function tableAt(buffer: FlatBuffer, at: number): FlatTable {
  buffer.spend(4);
  const vtable = at - buffer.view.getInt32(at, true);
  return { buffer, at, vtable, vtableBytes: buffer.view.getUint16(vtable, true) };
}

/** Returns the position of a field, or null if the field has its default value. */
export function slotOf({ buffer, at, vtable, vtableBytes }: FlatTable, field: number): number | null {
  const entry = 4 + field * 2;
  if (entry + 2 > vtableBytes) return null;
  const offset = buffer.view.getUint16(vtable + entry, true);
  return offset === 0 ? null : at + offset;
}

/** Returns a function that reads a number in a field, or returns `usual` if the field has its default value. */
function numberField(read: (view: DataView, at: number) => number) {
  return (table: FlatTable, field: number, usual: number): number => {
    const at = slotOf(table, field);
    return at === null ? usual : read(table.buffer.view, at);
  };
}

export const byteOf = numberField((view, at) => view.getUint8(at));
export const shortOf = numberField((view, at) => view.getInt16(at, true));
export const intOf = numberField((view, at) => view.getInt32(at, true));
export const longOf = numberField(longAt);

/** Reads a 64-bit number. Throws if JavaScript cannot represent the number exactly. */
export function longAt(view: DataView, at: number): number {
  const value = Number(view.getBigInt64(at, true));
  if (!Number.isSafeInteger(value)) throw new BadFormat('A number is too large.');
  return value;
}

export function tableOf(table: FlatTable, field: number): FlatTable | null {
  const at = slotOf(table, field);
  return at === null ? null : tableAt(table.buffer, at + table.buffer.view.getUint32(at, true));
}

/** Returns a vector with elements of `partBytes` each. Throws BadFormat if the vector exceeds the buffer. */
function vectorOf(table: FlatTable, field: number, partBytes: number) {
  const slot = slotOf(table, field);
  if (slot === null) return { at: 0, length: 0 };
  const { view, spend } = table.buffer;
  const start = slot + view.getUint32(slot, true);
  const length = view.getUint32(start, true);
  if (length * partBytes > view.byteLength - start - 4)
    throw new BadFormat('A list has fewer elements than announced.');
  spend(length * partBytes);
  return { at: start + 4, length };
}

/** Returns the elements of a vector, each read from its position. */
export function elementsOf<T>(
  table: FlatTable,
  field: number,
  partBytes: number,
  read: (view: DataView, at: number) => T,
): readonly T[] {
  const { at, length } = vectorOf(table, field, partBytes);
  return Array.from({ length }, (_, index) => read(table.buffer.view, at + index * partBytes));
}

export function tablesOf(table: FlatTable, field: number): readonly FlatTable[] {
  return elementsOf(table, field, 4, (view, at) => tableAt(table.buffer, at + view.getUint32(at, true)));
}

export function textOf(table: FlatTable, field: number): string | null {
  if (slotOf(table, field) === null) return null;
  const { at, length } = vectorOf(table, field, 1);
  const { view } = table.buffer;
  return new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at, length));
}
