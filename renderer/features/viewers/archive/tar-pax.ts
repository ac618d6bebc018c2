import type { RangeSource } from '../frame/range-source.ts';

/**
 * The fields of a pax header, which apply to the next entry or to all following entries. A null comes from an empty value: the
 * field of the entry's own header applies, even if a header for all entries has one (POSIX.1-2017, pax, "pax Extended Header").
 */
export interface PaxFacts {
  /** The name in UTF-8, or in an encoding that the header does not state. */
  readonly name?: Uint8Array | null;
  readonly sizeBytes?: number | null;
  readonly modifiedMs?: number | null;
  readonly sparse?: PaxSparse;
}

/** A sparse file. Versions 0.0 and 0.1 have the map in the header, 1.0 before the content (GNU tar, "Storing Sparse Files"). */
export interface PaxSparse {
  readonly sizeBytes: number;
  /** The offset and length of each run, alternating. `leading`: the map precedes the content. */
  readonly map: readonly number[] | 'leading' | 'incomplete';
}

/** Limit of the value of a pax record. Longer values, such as file attributes, are skipped. */
const maxValueBytes = 1024 * 1024;
const maxMapBytes = 16 * 1024 * 1024;
/** Format 0.0 has two records for each run of a sparse file. */
const maxRecords = 200_000;
const peekBytes = 256;
/** GNU.sparse.offset and GNU.sparse.numbytes repeat for each run. */
const known = /^(?:path|size|mtime|hdrcharset|GNU\.sparse\.[a-z]+)$/;

/** Reads the records `length key=value\n` of a pax header. Lengths are in bytes. */
export async function readPax(
  source: RangeSource,
  start: number,
  sizeBytes: number,
  signal: AbortSignal,
): Promise<PaxFacts> {
  const values = new Map<string, Uint8Array>();
  const runs: number[] = [];
  const end = start + sizeBytes;
  for (let at = start, records = 0; at < end && records < maxRecords; records += 1) {
    const peek = new TextDecoder('latin1').decode(
      await source.read(at, Math.min(peekBytes, end - at), signal),
    );
    const { digits = '', key = '' } = /^(?<digits>\d{1,15}) (?<key>[^=\0]*)=/.exec(peek)?.groups ?? {};
    const length = Number(digits);
    const headBytes = digits.length + 1 + key.length + 1;
    const valueBytes = length - headBytes - 1;
    if (digits === '' || valueBytes < 0) break;
    if (known.test(key) && valueBytes <= (key === 'GNU.sparse.map' ? maxMapBytes : maxValueBytes)) {
      const value = await source.read(at + headBytes, valueBytes, signal);
      if (key === 'GNU.sparse.offset' || key === 'GNU.sparse.numbytes') runs.push(Number(textOf(value)));
      else values.set(key, value);
    }
    at += length;
  }
  return factsOf(values, runs);
}

function factsOf(values: ReadonlyMap<string, Uint8Array>, runs: readonly number[]): PaxFacts {
  const [size, mtime] = [values.get('size'), values.get('mtime')];
  const name = values.get('GNU.sparse.name') ?? values.get('path');
  const sparse = sparseOf(values, runs);
  return {
    ...(name === undefined ? {} : { name: name.length === 0 ? null : name }),
    ...(size === undefined ? {} : { sizeBytes: sizeOf(size) }),
    ...(mtime === undefined ? {} : { modifiedMs: timeOf(mtime) }),
    ...(sparse === null ? {} : { sparse }),
  };
}

function sparseOf(values: ReadonlyMap<string, Uint8Array>, runs: readonly number[]): PaxSparse | null {
  const sizeBytes = sizeOf(values.get('GNU.sparse.realsize') ?? values.get('GNU.sparse.size'));
  if (sizeBytes === null) return null;
  const blocks = sizeOf(values.get('GNU.sparse.numblocks'));
  const stated = textOf(values.get('GNU.sparse.map'))?.split(',').map(Number);
  if (stated !== undefined || blocks !== null) {
    const map = stated ?? runs;
    return {
      sizeBytes,
      map: blocks === null || map.length === blocks * 2 || blocks === 0 ? map : 'incomplete',
    };
  }
  return textOf(values.get('GNU.sparse.major')) === '1' ? { sizeBytes, map: 'leading' } : null;
}

function textOf(value: Uint8Array | undefined): string | undefined {
  return value === undefined ? undefined : new TextDecoder().decode(value);
}

function sizeOf(value: Uint8Array | undefined): number | null {
  const size = numberOf(value);
  return Number.isSafeInteger(size) && size >= 0 ? size : null;
}

function timeOf(value: Uint8Array): number | null {
  const seconds = numberOf(value);
  return Number.isFinite(seconds) ? seconds * 1000 : null;
}

function numberOf(value: Uint8Array | undefined): number {
  const text = textOf(value) ?? '';
  return text === '' ? Number.NaN : Number(text);
}
