import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js';
import { ByteWriter } from 'hyparquet-writer';
import { serializeTCompactProtocol } from 'hyparquet-writer/src/thrift.js';

/** A Thrift structure with `field_N` keys, whose names are in parquet.thrift. */
export type ThriftFields = Record<string, unknown>;

/** Changes the metadata of a Parquet file, even to values that no writer would write. */
export function changedFooter(
  bytes: Uint8Array<ArrayBuffer>,
  change: (file: ThriftFields) => void,
): Uint8Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = bytes.length - 8 - view.getUint32(bytes.length - 8, true);
  const file: ThriftFields = deserializeTCompactProtocol({ view, offset: start });
  change(file);
  const writer = new ByteWriter();
  serializeTCompactProtocol(writer, inOrder(file));
  const footer = new Uint8Array(writer.getBuffer());
  const end = Buffer.alloc(8, '\0\0\0\0PAR1', 'latin1');
  end.writeUInt32LE(footer.length);
  return new Uint8Array(Buffer.concat([bytes.subarray(0, start), footer, end]));
}

/** Returns the column chunks of the first row group. */
export function firstChunks(file: ThriftFields): ThriftFields[] {
  const [group] = file['field_4'] as ThriftFields[];
  return (group?.['field_1'] ?? []) as ThriftFields[];
}

/** Sorts the fields by their numbers, as the writer requires. */
function inOrder(fields: ThriftFields): ThriftFields {
  const numbered = Object.entries(fields).map(
    ([name, value]) => [Number(name.replace('field_', '')), name, value] as const,
  );
  const sorted = numbered.toSorted(([a], [b]) => a - b);
  return Object.fromEntries(sorted.map(([, name, value]) => [name, ordered(value)]));
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  const isStruct = typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
  return isStruct ? inOrder(value as ThriftFields) : value;
}
