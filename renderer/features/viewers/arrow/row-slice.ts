import { BadFormat } from '../frame/bad-format.ts';
import type { ArrowType } from './arrow-type.ts';
import { batchStart, type ArrowBatchPlace } from './column-data.ts';
import type { BatchHeader } from './message.ts';

/** A range of rows of a column in a batch, in the form of a smaller batch. */
export interface RowSlice {
  readonly header: BatchHeader;
  readonly place: ArrowBatchPlace;
  /** Counted from the start of the batch. */
  readonly firstRow: number;
  readonly rows: number;
}

const rowsPerSlice = 65_536;

/**
 * Returns the rows around `row`: a slice if the column's values are uncompressed and of fixed length, otherwise the whole
 * batch.
 */
export function arrowRowsOf(
  type: ArrowType,
  header: BatchHeader,
  place: ArrowBatchPlace,
  row: number,
): RowSlice {
  const width = header.codec === null ? widthOf(type) : null;
  const validity = header.buffers[place.buffer];
  const values = header.buffers[place.buffer + 1];
  if (width === null || validity === undefined || values === undefined || header.rows <= rowsPerSlice)
    return { header, place, firstRow: 0, rows: header.rows };
  const firstRow = row - (row % rowsPerSlice);
  const rows = Math.min(rowsPerSlice, header.rows - firstRow);
  const bits = { offset: validity.offset + firstRow / 8, length: Math.ceil(rows / 8) };
  const part = { offset: values.offset + firstRow * width, length: rows * width };
  if ((firstRow + rows) * width > values.length) throw new BadFormat('A column holds less than it says.');
  if (validity.length > 0 && firstRow / 8 + bits.length > validity.length)
    throw new BadFormat('A column holds less than it says.');
  return {
    header: { ...header, rows, nodes: [rows], buffers: [validity.length === 0 ? validity : bits, part] },
    place: batchStart,
    firstRow,
    rows,
  };
}

/** Returns the number of bytes per value, or null if values vary in length or are not whole bytes. */
function widthOf(type: ArrowType): number | null {
  switch (type.kind) {
    case 'int':
    case 'float':
      return type.bits / 8;
    case 'decimal':
      return type.bytes;
    case 'date':
      return type.isDays ? 4 : 8;
    case 'time':
      return type.isLong ? 8 : 4;
    case 'timestamp':
    case 'duration':
      return 8;
    case 'interval':
      return { months: 4, days: 8, nanoseconds: 16 }[type.of];
    default:
      return null;
  }
}
