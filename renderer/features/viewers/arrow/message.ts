import { BadFormat, viewOf } from '../frame/bytes.ts';
import { fieldsOf, type ArrowField } from './arrow-type.ts';
import {
  byteOf,
  elementsOf,
  flatBuffer,
  longAt,
  longOf,
  rootTable,
  shortOf,
  tableOf,
  type FlatTable,
} from './flat-buffer.ts';

// https://github.com/apache/arrow/blob/main/format/Message.fbs

/** The description of a batch of rows: the positions of the columns' buffers in the body after this message. */
export interface BatchHeader {
  readonly rows: number;
  /** The row counts of each column and of its nested parts. */
  readonly nodes: readonly number[];
  readonly buffers: readonly { readonly offset: number; readonly length: number }[];
  readonly codec: 'lz4' | 'zstd' | null;
  /** The number of variadic buffers of each view column. */
  readonly variadic: readonly number[];
  /** Before version 5, unions had a validity bitmap. */
  readonly isOld: boolean;
}

export type Message =
  | { readonly kind: 'schema'; readonly fields: readonly ArrowField[] }
  | { readonly kind: 'rows'; readonly header: BatchHeader; readonly bodyBytes: number }
  | {
      readonly kind: 'dictionary';
      readonly id: number;
      /** True if this dictionary extends the previous one. */
      readonly isMore: boolean;
      readonly header: BatchHeader;
      readonly bodyBytes: number;
    }
  | { readonly kind: 'other'; readonly bodyBytes: number };

/** Returns the length of the message at the start of `bytes`, and of the prefix before it. Null at the end of a stream. */
export function messagePrefix(bytes: Uint8Array) {
  const view = viewOf(bytes);
  if (bytes.length < 4) return null;
  const first = view.getInt32(0, true);
  // Before version 0.15 there was no continuation marker.
  if (first !== -1) return first === 0 ? null : checked(4, first);
  if (bytes.length < 8) return null;
  const length = view.getInt32(4, true);
  return length === 0 ? null : checked(8, length);
}

const maxMessageBytes = 4_000_000;

function checked(prefixBytes: number, messageBytes: number) {
  if (messageBytes < 0 || messageBytes > maxMessageBytes) throw new BadFormat('A message is too long.');
  return { prefixBytes, messageBytes };
}

export function messageOf(bytes: Uint8Array): Message {
  const root = rootTable(flatBuffer(bytes));
  const header = tableOf(root, 2);
  const bodyBytes = longOf(root, 3, 0);
  const version = shortOf(root, 0, 0);
  if (bodyBytes < 0) throw new BadFormat('A body has an impossible length.');
  if (header === null) return { kind: 'other', bodyBytes };
  switch (byteOf(root, 1, 0)) {
    case 1:
      return { kind: 'schema', fields: fieldsOf(header) };
    case 2: {
      const data = tableOf(header, 1);
      if (data === null) throw new BadFormat('A dictionary has no values.');
      return {
        kind: 'dictionary',
        id: longOf(header, 0, 0),
        isMore: byteOf(header, 2, 0) !== 0,
        header: batchOf(data, version, bodyBytes),
        bodyBytes,
      };
    }
    case 3:
      return { kind: 'rows', header: batchOf(header, version, bodyBytes), bodyBytes };
    default:
      return { kind: 'other', bodyBytes };
  }
}

function batchOf(table: FlatTable, version: number, bodyBytes: number): BatchHeader {
  // Files older than version 4 (2017) are not supported.
  if (version < 3) throw new BadFormat('The version of the file is too old.');
  const compression = tableOf(table, 3);
  const rows = longOf(table, 0, 0);
  if (rows < 0) throw new BadFormat('A batch has an impossible number of rows.');
  return {
    rows,
    nodes: elementsOf(table, 1, 16, longAt),
    buffers: elementsOf(table, 2, 16, (view, at) => {
      const offset = longAt(view, at);
      const length = longAt(view, at + 8);
      if (offset < 0 || length < 0 || offset + length > bodyBytes)
        throw new BadFormat('A buffer ends after its body.');
      return { offset, length };
    }),
    codec: compression === null ? null : byteOf(compression, 0, 0) === 0 ? 'lz4' : 'zstd',
    variadic: elementsOf(table, 4, 8, longAt),
    isOld: version < 4,
  };
}

/** The position of a batch in a file: its message, then its body. */
export interface Block {
  readonly offset: number;
  readonly messageBytes: number;
  readonly bodyBytes: number;
}

/** Reads the list at the end of a file: its columns, and the positions of its batches. */
export function footerOf(bytes: Uint8Array) {
  const root = rootTable(flatBuffer(bytes));
  const schema = tableOf(root, 1);
  if (schema === null) throw new BadFormat('The file has no schema.');
  return { fields: fieldsOf(schema), dictionaries: blocksOf(root, 2), batches: blocksOf(root, 3) };
}

function blocksOf(root: FlatTable, field: number): readonly Block[] {
  return elementsOf(root, field, 24, (view, at) => {
    const offset = longAt(view, at);
    const messageBytes = view.getInt32(at + 8, true);
    const bodyBytes = longAt(view, at + 16);
    if (offset < 0 || bodyBytes < 0 || messageBytes < 0 || messageBytes > maxMessageBytes)
      throw new BadFormat('A batch has no position.');
    return { offset, messageBytes, bodyBytes };
  });
}
