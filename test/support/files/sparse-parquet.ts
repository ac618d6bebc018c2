import { parquetMetadata } from 'hyparquet';
import { ByteWriter, parquetWriteBuffer } from 'hyparquet-writer';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import type { SparseFile } from './sparse-file.ts';

export const sparseRows = 40_000;

/** Builds a Parquet file of a gigabyte or more whose eight columns are far apart. */
export function sparseParquet(sizeBytes = 1024 ** 3): SparseFile {
  const whole = Buffer.from(
    parquetWriteBuffer({
      columnData: Array.from({ length: 8 }, (_, column) => ({
        name: `column_${String(column)}`,
        data: Array.from({ length: sparseRows }, (_, row) => row * 10 + column),
        type: 'INT32' as const,
      })),
      rowGroupSize: sparseRows,
      pageSize: 64 * 1024,
    }),
  );
  const metadata = parquetMetadata(whole);
  const gap = Math.floor(sizeBytes / 9);
  const pieces: { readonly at: number; readonly bytes: Uint8Array }[] = [
    { at: 0, bytes: Buffer.from('PAR1') },
  ];
  for (const [at, { meta_data: chunk }] of (metadata.row_groups[0]?.columns ?? []).entries()) {
    if (chunk === undefined) throw new Error('A column has no description.');
    const start = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
    const to = gap * (at + 1);
    pieces.push({ at: to, bytes: whole.subarray(start, start + Number(chunk.total_compressed_size)) });
    const moved = BigInt(to - start);
    chunk.data_page_offset += moved;
    if (chunk.dictionary_page_offset !== undefined) chunk.dictionary_page_offset += moved;
  }
  // Makes the row group seem as large as the file, so that only some columns are read at first.
  const [group] = metadata.row_groups;
  const last = group?.columns[7]?.meta_data;
  if (last !== undefined) last.total_compressed_size = BigInt(Math.floor(gap / 2));
  const writer = new ByteWriter();
  writeMetadata(writer, metadata);
  const footer = Buffer.concat([Buffer.from(writer.getBuffer()), Buffer.from('PAR1')]);
  pieces.push({ at: sizeBytes - footer.byteLength, bytes: footer });
  return { sizeBytes, pieces };
}
