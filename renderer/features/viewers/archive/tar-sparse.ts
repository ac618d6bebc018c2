import type { RangeSource } from '../frame/range-source.ts';
import { BadFormat } from '../frame/bytes.ts';
import { blockBytes, tarNumber } from './tar-header.ts';

/** A stored part of a sparse file. The bytes between two stored parts are zero. */
export interface SparseRun {
  readonly offset: number;
  readonly sizeBytes: number;
  /** The offset of the run's first byte in the stored content. */
  readonly storedAt: number;
}

const maxRuns = 1_000_000;
/** Blocks that continue the map of a sparse file in GNU's own format hold 21 runs each. */
const maxMapBlocks = Math.ceil(maxRuns / 21);
const mapPieceBytes = 64 * 1024;

/** Checks a map of offsets and lengths against the size of its file. Throws BadFormat. */
export function runsOf(map: readonly number[], sizeBytes: number): readonly SparseRun[] {
  const runs: SparseRun[] = [];
  let storedAt = 0;
  let end = 0;
  for (let at = 0; at + 1 < map.length; at += 2) {
    const [offset = 0, length = 0] = [map[at], map[at + 1]];
    const isRun = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && length >= 0;
    if (!isRun || offset < end || offset + length > sizeBytes)
      throw new BadFormat('The map of a sparse file is damaged.');
    if (length > 0) runs.push({ offset, sizeBytes: length, storedAt });
    storedAt += length;
    end = offset + length;
  }
  return runs;
}

export interface GnuSparse {
  readonly sizeBytes: number;
  readonly map: readonly number[];
  /** Number of blocks between the header and the content. */
  readonly mapBlocks: number;
}

/** Reads the map of a sparse file in GNU's own format: four runs in the header, 21 in each block that follows. */
export async function readGnuSparse(
  source: RangeSource,
  headerAt: number,
  signal: AbortSignal,
): Promise<GnuSparse> {
  const map: number[] = [];
  let block = await source.read(headerAt, blockBytes, signal);
  const sizeBytes = tarNumber(block, 483, 12);
  const addRuns = (start: number, count: number): void => {
    for (let at = start; at < start + count * 24; at += 24) {
      const length = tarNumber(block, at + 12, 12);
      const offset = tarNumber(block, at, 12);
      if (length > 0 || offset > 0) map.push(offset, length);
    }
  };
  addRuns(386, 4);
  let isContinued = block[482] !== 0;
  let mapBlocks = 0;
  while (isContinued) {
    if (mapBlocks >= maxMapBlocks) throw new BadFormat('The map of a sparse file is too long.');
    mapBlocks += 1;
    block = await source.read(headerAt + mapBlocks * blockBytes, blockBytes, signal);
    if (block.length < blockBytes) throw new BadFormat('The map of a sparse file is cut off.');
    addRuns(0, 21);
    isContinued = block[504] !== 0;
  }
  return { sizeBytes, map, mapBlocks };
}

/** Reads the map that precedes the content: decimal numbers, one per line, filled up to a whole block. Throws BadFormat. */
export async function readLeadingMap(
  stored: RangeSource,
  signal: AbortSignal,
): Promise<{ readonly map: readonly number[]; readonly mapBytes: number }> {
  let text = '';
  let lineCount = Infinity;
  for (let at = 0; ; at += mapPieceBytes) {
    const bytes = await stored.read(at, mapPieceBytes, signal);
    text += new TextDecoder('latin1').decode(bytes);
    const count = Number(/^(?<count>\d{1,8})\n/.exec(text)?.groups?.['count'] ?? Number.NaN);
    if (!(count <= maxRuns)) throw new BadFormat('The map of a sparse file is damaged.');
    lineCount = count * 2 + 1;
    const lines = text.split('\n');
    if (lines.length > lineCount) {
      const used = lines.slice(0, lineCount);
      const usedBytes = used.reduce((sum, line) => sum + line.length + 1, 0);
      return { map: used.slice(1).map(Number), mapBytes: Math.ceil(usedBytes / blockBytes) * blockBytes };
    }
    if (bytes.length < mapPieceBytes) throw new BadFormat('The map of a sparse file is cut off.');
  }
}

/** Returns a sparse file as a source, with zeros between the stored runs. */
export function sparseSource(
  stored: RangeSource,
  runs: readonly SparseRun[],
  sizeBytes: number,
): RangeSource {
  return {
    sizeBytes,
    read: async (offset, length, signal) => {
      const end = Math.min(sizeBytes, offset + length);
      const bytes = new Uint8Array(Math.max(0, end - offset));
      for (let at = firstRunAfter(runs, offset); at < runs.length; at += 1) {
        const run = runs[at];
        if (run === undefined || run.offset >= end) break;
        const from = Math.max(offset, run.offset);
        const until = Math.min(end, run.offset + run.sizeBytes);
        const part = await stored.read(run.storedAt + from - run.offset, until - from, signal);
        if (part.length < until - from) throw new BadFormat('The entry ends after the archive.');
        bytes.set(part, from - offset);
      }
      return bytes;
    },
  };
}

/** Returns the index of the first run that ends after the offset. */
function firstRunAfter(runs: readonly SparseRun[], offset: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const run = runs[middle];
    if (run !== undefined && run.offset + run.sizeBytes <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
