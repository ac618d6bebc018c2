import { fileKinds, fileKind, type FileKind } from '../../../../shared/keys/file-kind.ts';
import { sizeGroupEnds } from '../../../../shared/models/map-groups.ts';

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
export interface Cell {
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
