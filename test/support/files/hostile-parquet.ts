import { parquetWriteBuffer } from 'hyparquet-writer';
import { changedFiles } from './changed-files.ts';

function plainFile(): Uint8Array {
  const rows = Array.from({ length: 4000 }, (_, row) => row);
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'number', data: rows, type: 'INT32' },
        {
          name: 'word',
          data: rows.map((row) => (row % 7 === 0 ? null : `w${String(row % 9)}`)),
          type: 'STRING',
        },
        { name: 'list', data: rows.map((row) => [row, row + 1]) },
        { name: 'day', data: rows.map((row) => new Date(row * 1e6)), type: 'TIMESTAMP' },
      ],
      codec: 'SNAPPY',
      rowGroupSize: 4000,
      pageSize: 700,
    }),
  );
}

/** Builds a Parquet file that consists only of its metadata. */
function described(description: readonly number[]): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(description.length);
  return Buffer.concat([Buffer.from('PAR1'), Uint8Array.from(description), length, Buffer.from('PAR1')]);
}

/** Returns files with false metadata. Some are made by hand, others changed at random, but the same in every run. */
export function hostileParquets(changed: number): Readonly<Record<string, Uint8Array>> {
  const plain = plainFile();
  return {
    ...changedFiles(plain, changed, { name: 'changed', ending: 'parquet', endBytes: 1500 }),
    'lists-in-lists.parquet': described([
      0x29,
      ...Array.from({ length: 2000 }, () => [0xf9, 0xff, 0xff, 0xff, 0x0f]).flat(),
      0,
    ]),
    'endless-number.parquet': described([0x16, ...Array<number>(1_000_000).fill(0xff), 0]),
    'cut-off.parquet': Buffer.concat([plain.subarray(0, 900), plain.subarray(-2000)]),
  };
}
