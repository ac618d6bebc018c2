import { createHash } from 'node:crypto';
import { fileKinds, fileKind, type FileKind } from '../../../../shared/keys/file-kind.ts';
import { sizeGroupEnds } from '../../../../shared/models/map-groups.ts';

/** The earliest stored time in seconds since 1970. Earlier times become this one, because 0 means an unknown time. */
export const epochS = 1;

/** The fields of an object that a catalogue stores. */
export interface KeyRow {
  readonly key: string;
  readonly sizeBytes: number;
  /** The modification time in seconds since 1970, at least `epochS`; 0 if unknown. */
  readonly modifiedS: number;
  /** The first of two halves of the ETag's 64 bits, used to compare objects. Both halves are 0 if the object has no ETag. */
  readonly etagHigh: number;
  readonly etagLow: number;
  readonly storageClass: string;
}

/**
 * Returns 64 bits for an ETag: the first ones of a plain MD5, otherwise those of the ETag's SHA-256. ETags with quotes
 * (listings), without quotes (inventory reports) and with a `W/` mark (compressing proxies) give the same result.
 */
export function etagBits(etag: string | null): readonly [high: number, low: number] {
  if (etag === null) return [0, 0];
  const start = etag.startsWith('W/"') ? 2 : 0;
  const from = etag.startsWith('"', start) ? start + 1 : 0;
  const to = from > 0 && etag.endsWith('"') ? etag.length - 1 : etag.length;
  if (to <= from) return [0, 0];
  if (to - from === 32) {
    const high = hexOf(etag, from);
    const low = hexOf(etag, from + 8);
    if (high !== -1 && low !== -1) return [high, low];
  }
  const digest = createHash('sha256').update(etag.slice(from, to)).digest();
  return [digest.readUInt32LE(0), digest.readUInt32LE(4)];
}

/** Parses eight hex digits at `from`; returns -1 if any of them is not a hex digit. */
function hexOf(text: string, from: number): number {
  let value = 0;
  for (let at = from; at < from + 8; at += 1) {
    const code = text.charCodeAt(at);
    const lower = code | 0x20;
    const digit = code >= 48 && code <= 57 ? code - 48 : lower >= 97 && lower <= 102 ? lower - 87 : -1;
    if (digit === -1) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/**
 * A folder's objects are counted in cells: by kind of file, storage class, owner, size group and month. The code of a cell has 29
 * bits: kind (4), class (6, an index into a list), owner (4, also an index), size group (3), months since 1970 (12; 0 if
 * unknown).
 */
const monthBits = 12;
const sizeBits = 3;
const ownerBits = 4;
const classBits = 6;
export const maxClasses = 2 ** classBits;
export const maxOwners = 2 ** ownerBits;

/** The five properties of a cell as numbers. */
interface Cell {
  readonly kind: number;
  readonly storageClass: number;
  readonly owner: number;
  readonly size: number;
  readonly month: number;
}

const kindNumbers = new Map<FileKind, number>(fileKinds.map((kind, number) => [kind, number]));

export function kindNumberOf(name: string): number {
  return kindNumbers.get(fileKind(name)) ?? 0;
}

/** Returns the number of months since 1970, in UTC and starting at 1; 0 if the time is unknown. */
export function monthOf(seconds: number): number {
  if (seconds === 0) return 0;
  const date = new Date(seconds * 1000);
  return Math.max(
    1,
    Math.min(2 ** monthBits - 1, (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth() + 1),
  );
}

/** Returns the index of a size in `sizeGroups`. */
export function sizeNumberOf(sizeBytes: number): number {
  let group = 0;
  for (const end of sizeGroupEnds) {
    if (sizeBytes < end) break;
    group += 1;
  }
  return group;
}

const sizeShift = monthBits;
const ownerShift = sizeShift + sizeBits;
const classShift = ownerShift + ownerBits;
const kindShift = classShift + classBits;

export function cellCode({ kind, storageClass, owner, size, month }: Cell): number {
  return (
    (kind << kindShift) | (storageClass << classShift) | (owner << ownerShift) | (size << sizeShift) | month
  );
}

export const kindIn = (code: number): number => code >>> kindShift;
export const classIn = (code: number): number => (code >>> classShift) & (maxClasses - 1);
export const ownerIn = (code: number): number => (code >>> ownerShift) & (maxOwners - 1);
export const sizeIn = (code: number): number => (code >>> sizeShift) & (2 ** sizeBits - 1);
export const monthIn = (code: number): number => code & (2 ** monthBits - 1);
