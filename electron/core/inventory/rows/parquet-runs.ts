import { deltaBinaryUnpack } from 'hyparquet/src/delta.js';
import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js';
import { readVarInt } from 'hyparquet/src/thrift.js';
import { DamagedReport } from './report-rows.ts';

/**
 * Throws DamagedReport if a run between `from` and `to` repeats a value more often than the page has values. The library
 * expands runs without checking their length. Source: Parquet's Encodings, "Run Length Encoding / Bit-Packing Hybrid".
 */
export function checkRuns(view: DataView, from: number, to: number, bitWidth: number, values: number): void {
  const reader = { view, offset: from };
  let seen = 0;
  while (seen < values && reader.offset < to) {
    const header = readVarInt(reader);
    const length = header >>> 1;
    if ((header & 1) === 1) {
      // Groups of eight; the last one is padded.
      seen += length * 8;
      reader.offset += length * bitWidth;
    } else {
      if (length > values - seen) throw new DamagedReport('a page repeats a value too often');
      seen += length;
      reader.offset += (bitWidth + 7) >> 3;
    }
  }
}

/** Returns how many values the definition levels at the start of a page define. Their runs have been checked. */
export function definedCount(view: DataView, values: number): number {
  const levels = new Uint8Array(values);
  readRleBitPackedHybrid({ view, offset: 0 }, 1, levels);
  return levels.reduce((sum, level) => sum + level, 0);
}

/**
 * Counts the bytes of values stored as the difference from the previous value, which each may repeat. Throws DamagedReport when a
 * value repeats more than the previous one has.
 */
export function checkDeltas(
  view: DataView,
  from: number,
  values: number,
  count: (unpackedBytes: number) => void,
): void {
  const reader = { view, offset: from };
  const shared = new Int32Array(values);
  deltaBinaryUnpack(reader, values, shared);
  const added = new Int32Array(values);
  deltaBinaryUnpack(reader, values, added);
  let before = 0;
  for (let at = 0; at < values; at += 1) {
    const kept = shared[at] ?? 0;
    const length = kept + (added[at] ?? 0);
    if (kept < 0 || kept > before || length < kept)
      throw new DamagedReport('a value repeats more than the value before has');
    count(length);
    before = length;
  }
}
