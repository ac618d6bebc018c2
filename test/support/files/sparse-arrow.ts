import { RecordBatchFileWriter, type Table } from 'apache-arrow';
import { arrowTable } from './arrow-files.ts';
import type { SparseFile } from './sparse-file.ts';

/** A writer that can leave gaps between batches. The offsets in the footer include these gaps. */
class SpacedWriter extends RecordBatchFileWriter {
  readonly cuts: number[] = [];
  #leftBytes = 0;

  leave(bytes: number): void {
    // oxlint-disable-next-line no-underscore-dangle -- the writer has no other name for it
    this.cuts.push(this._position - this.#leftBytes);
    this.#leftBytes += bytes;
    // oxlint-disable-next-line no-underscore-dangle -- the writer has no other name for it
    this._position += bytes;
  }
}

/** Builds an Arrow file of a gigabyte whose two batches are far apart. */
export function sparseArrow(sizeBytes = 1024 ** 3, table: Table = arrowTable()): SparseFile {
  const gap = Math.floor(sizeBytes / (table.batches.length + 1) / 64) * 64;
  const writer = new SpacedWriter({ compressionType: null });
  for (const batch of table.batches) {
    writer.write(batch);
    writer.leave(gap);
  }
  writer.finish();
  const whole = Buffer.from(writer.toUint8Array(true));
  const starts = [0, ...writer.cuts];
  const pieces = starts.map((start, index) => ({
    at: start + index * gap,
    bytes: whole.subarray(start, starts[index + 1] ?? whole.length),
  }));
  return { sizeBytes: whole.length + writer.cuts.length * gap, pieces };
}
