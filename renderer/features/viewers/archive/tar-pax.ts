import type { RangeSource } from '../frame/range-source.ts';

/** The fields of a pax header, which apply to the next entry or to all following entries. */
export interface PaxFacts {
  /** The name in UTF-8, or in an encoding that the header does not state. */
  readonly name?: Uint8Array;
  readonly sizeBytes?: number;
  readonly modifiedMs?: number;
  readonly sparse?: PaxSparse;
}

/** A sparse file. Versions 0.0 and 0.1 have the map in the header, 1.0 before the content (GNU tar, "Storing Sparse Files"). */
export interface PaxSparse {
  readonly sizeBytes: number;
  /** The offset and length of each run, alternating. Null if the map precedes the content. */
  readonly map: readonly number[] | null;
}

/** Limit of the value of a pax record. Longer values, such as file attributes, are skipped. */
const maxValueBytes = 1024 * 1024;
const maxRecords = 10_000;
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
    if (known.test(key) && valueBytes <= maxValueBytes) {
      const value = await source.read(at + headBytes, valueBytes, signal);
      if (key === 'GNU.sparse.offset' || key === 'GNU.sparse.numbytes') runs.push(Number(textOf(value)));
      else values.set(key, value);
    }
    at += length;
  }
  return factsOf(values, runs);
}

function factsOf(values: ReadonlyMap<string, Uint8Array>, runs: readonly number[]): PaxFacts {
  const size = sizeOf(values.get('size'));
  const seconds = Number(textOf(values.get('mtime')) ?? Number.NaN);
  const name = values.get('GNU.sparse.name') ?? values.get('path');
  const sparse = sparseOf(values, runs);
  return {
    ...(name === undefined ? {} : { name }),
    ...(size === null ? {} : { sizeBytes: size }),
    ...(Number.isFinite(seconds) ? { modifiedMs: seconds * 1000 } : {}),
    ...(sparse === null ? {} : { sparse }),
  };
}

function sparseOf(values: ReadonlyMap<string, Uint8Array>, runs: readonly number[]): PaxSparse | null {
  const sizeBytes = sizeOf(values.get('GNU.sparse.realsize') ?? values.get('GNU.sparse.size'));
  if (sizeBytes === null) return null;
  const map = textOf(values.get('GNU.sparse.map'));
  if (map !== undefined) return { sizeBytes, map: map.split(',').map(Number) };
  if (values.has('GNU.sparse.numblocks')) return { sizeBytes, map: runs };
  return textOf(values.get('GNU.sparse.major')) === '1' ? { sizeBytes, map: null } : null;
}

function textOf(value: Uint8Array | undefined): string | undefined {
  return value === undefined ? undefined : new TextDecoder().decode(value);
}

function sizeOf(value: Uint8Array | undefined): number | null {
  const size = Number(textOf(value) ?? Number.NaN);
  return Number.isSafeInteger(size) && size >= 0 ? size : null;
}
