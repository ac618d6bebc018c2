import { BadFormat, viewOf } from '../frame/bytes.ts';
import type { RangeSource } from '../frame/range-source.ts';
import { EncryptedDirectory } from './archive.ts';

// PKWARE APPNOTE 6.3.10: 4.3.14 to 4.3.16, the end of the central directory.
const endMark = 0x06054b50;
const end64Mark = 0x06064b50;
const locator64Mark = 0x07064b50;
const endBytes = 22;
const locatorBytes = 20;
const end64Bytes = 56;
/** Offset of the algorithm that encrypts the directory, in the second version of the zip64 end record (APPNOTE 7.3.4). */
const algorithmAt = 74;
/** Covers the end record with the longest comment, and the zip64 locator before it. */
const tailBytes = 64 * 1024;

interface Directory {
  readonly start: number;
  readonly sizeBytes: number;
  readonly count: number;
  /** Number of bytes before the archive, such as a program that unpacks it. All offsets in the archive count from here. */
  readonly shift: number;
}

/** Finds the central directory by the record at the end of the archive. Throws BadFormat or EncryptedDirectory. */
export async function findDirectory(source: RangeSource, signal: AbortSignal): Promise<Directory> {
  const length = Math.min(source.sizeBytes, tailBytes + endBytes + locatorBytes);
  const tailStart = source.sizeBytes - length;
  const tail = await source.read(tailStart, length, signal);
  const view = viewOf(tail);
  for (let at = tail.length - endBytes; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== endMark) continue;
    // The comment must end within the file. Otherwise these bytes only look like an end record.
    if (at + endBytes + view.getUint16(at + 20, true) > tail.length) continue;
    const found = await directoryOf(source, view, { at, tailStart }, signal);
    if (found !== null) return found;
  }
  throw new BadFormat('The end of the directory was not found.');
}

async function directoryOf(
  source: RangeSource,
  view: DataView,
  { at, tailStart }: { readonly at: number; readonly tailStart: number },
  signal: AbortSignal,
): Promise<Directory | null> {
  let count = view.getUint16(at + 10, true);
  let sizeBytes = view.getUint32(at + 12, true);
  let offset = view.getUint32(at + 16, true);
  let end = tailStart + at;
  const hasLocator = at >= locatorBytes && view.getUint32(at - locatorBytes, true) === locator64Mark;
  if (hasLocator) {
    // Data prepended to the archive also shifts the zip64 end record. In that case, the record is read directly before its
    // locator.
    const statedAt = uint64(view, at - locatorBytes + 8);
    const beforeLocatorAt = tailStart + at - locatorBytes - end64Bytes;
    const found =
      (await end64At(source, statedAt, signal)) ?? (await end64At(source, beforeLocatorAt, signal));
    if (found === null) return null;
    const { place, end64 } = found;
    const isSecondVersion = end64.byteLength >= algorithmAt + 2 && uint64(end64, 4) + 12 >= algorithmAt + 2;
    if (isSecondVersion && end64.getUint16(algorithmAt, true) !== 0) throw new EncryptedDirectory();
    count = uint64(end64, 32);
    sizeBytes = uint64(end64, 40);
    offset = uint64(end64, 48);
    end = place;
  }
  const start = end - sizeBytes;
  const shift = start - offset;
  // Offsets may only be off by the size of the data before the archive.
  return start < 0 || shift < 0 ? null : { start, sizeBytes, count, shift };
}

async function end64At(
  source: RangeSource,
  place: number,
  signal: AbortSignal,
): Promise<{ readonly place: number; readonly end64: DataView } | null> {
  if (place < 0 || place + end64Bytes > source.sizeBytes) return null;
  const end64 = viewOf(await source.read(place, algorithmAt + 2, signal));
  return end64.getUint32(0, true) === end64Mark ? { place, end64 } : null;
}

export function uint64(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}
