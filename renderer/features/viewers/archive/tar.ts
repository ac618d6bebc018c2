import type { RangeSource } from '../frame/range-source.ts';
import { isUtf8 } from '../encoding/detect-encoding.ts';
import type { TextEncoding } from '../encoding/text-encoding.ts';
import { nameDecoder } from './entry-names.ts';
import { maxEntries, partOf, type ArchiveEntry, type ArchiveList } from './archive.ts';
import type { FeedState } from '../records/record-feed.ts';
import { BadFormat } from '../frame/bytes.ts';
import { blockBytes, isHeader, readTarHeader, bytesBeforeZero, slash, type TarHeader } from './tar-header.ts';
import { readPax, type PaxFacts } from './tar-pax.ts';
import { readGnuSparse, readLeadingMap, runsOf, sparseSource, type GnuSparse } from './tar-sparse.ts';

/** Number of entries read at a time. Each may cost a request, since headers are spread between the files. */
export const entriesAtOnce = 40;

/** Limit of a name. Longer names are cut. */
const maxNameBytes = 64 * 1024;
/** Limit of the zeros at the end of an archive, which is filled up to a record of 20 blocks. */
const maxZeroBytes = 20 * blockBytes;
/** Limit of consecutive headers without an entry. Real archives have fewer. */
const maxExtrasInARow = 100;
/** Headers that describe the next entry or all entries: long names and links, pax, volume labels, access lists. */
const extraTypes = 'LKxXgVA';
/** Types of entries without content: links, devices, folders and pipes. Some programs still write a size or a link's content. */
const bodilessTypes = '123456';

/** Reads a tar archive header by header, since tar archives have no directory. */
export interface TarReader extends ArchiveList {
  /** Reads up to `count` more entries. Throws BadFormat if a header is missing; entries read before stay listed. */
  more(signal: AbortSignal, count?: number): Promise<void>;
}

/** Creates a reader. `chosen`: the encoding that the user has set for names that are not UTF-8. */
export function tarReader(source: RangeSource, chosen: TextEncoding | null = null): TarReader {
  const entries: ArchiveEntry[] = [];
  let state: FeedState = 'open';
  let position = 0;
  let nextFacts: PaxFacts = {};
  let globalFacts: PaxFacts = {};
  let extrasInARow = 0;
  const unknownNames: Uint8Array[] = [];
  const unlisted: FoundEntry[] = [];

  /** Lists the entries found. Their names are decoded together, since one name is too short to reveal its encoding. */
  const list = (): void => {
    unknownNames.push(...unlisted.map(({ name }) => name).filter((name) => !isUtf8(name)));
    const decodeName = nameDecoder(unknownNames, 'tar', chosen);
    for (const entry of unlisted.splice(0)) entries.push(entryOf(entry, decodeName(entry.name)));
  };

  /**
   * Returns the offset of the next header, or null at the end of the archive. Zeros may end an archive, and separate joined
   * archives.
   */
  const headerAfterZeros = async (at: number, signal: AbortSignal): Promise<number | null> => {
    const bytes = await source.read(at, maxZeroBytes + blockBytes, signal);
    for (let zeros = 0; zeros + blockBytes <= bytes.length; zeros += blockBytes) {
      const block = bytes.subarray(zeros, zeros + blockBytes);
      if (block.some((byte) => byte !== 0)) return isHeader(block) ? at + zeros : null;
    }
    return null;
  };

  /** Returns true if content follows the header of an entry whose type has no content. */
  const hasBody = async (at: number, signal: AbortSignal): Promise<boolean> => {
    const block = await source.read(at, blockBytes, signal);
    return block.length === blockBytes && !isHeader(block) && block.some((byte) => byte !== 0);
  };

  const readExtra = async (header: TarHeader, at: number, signal: AbortSignal): Promise<void> => {
    if (extrasInARow >= maxExtrasInARow) throw new BadFormat('The archive has headers without entries.');
    if (header.type === 'L') {
      const bytes = await source.read(at, Math.min(header.sizeBytes, maxNameBytes), signal);
      nextFacts = { ...nextFacts, name: bytesBeforeZero(bytes) };
    } else if (header.type === 'x' || header.type === 'X')
      nextFacts = { ...nextFacts, ...(await readPax(source, at, header.sizeBytes, signal)) };
    else if (header.type === 'g')
      globalFacts = { ...globalFacts, ...(await readPax(source, at, header.sizeBytes, signal)) };
    extrasInARow += 1;
  };

  /** Reads one header. Changes the state only after the last read, so that a step whose read failed can be retried. */
  const step = async (signal: AbortSignal): Promise<void> => {
    const block = await source.read(position, blockBytes, signal);
    if (block.length < blockBytes || block.every((byte) => byte === 0)) {
      if (position === 0) throw new BadFormat('This is no tar archive.');
      const after = await headerAfterZeros(position, signal);
      if (after === null) state = 'whole';
      else position = after;
      return;
    }
    if (!isHeader(block)) throw new BadFormat('A header of the archive is damaged.');
    const header = readTarHeader(block);
    if (header.sizeBytes < 0) throw new BadFormat('A header of the archive is damaged.');
    let content = position + blockBytes;
    let occupiedBytes = header.sizeBytes;
    if (extraTypes.includes(header.type)) await readExtra(header, content, signal);
    else {
      const facts = { ...globalFacts, ...nextFacts };
      const name = facts.name ?? header.name;
      const gnu = header.type === 'S' ? await readGnuSparse(source, position, signal) : null;
      content += (gnu?.mapBlocks ?? 0) * blockBytes;
      occupiedBytes = facts.sizeBytes ?? header.sizeBytes;
      const isFolderByName = (header.type === '0' || header.type === '\0') && name.at(-1) === slash;
      if (
        (bodilessTypes.includes(header.type) || isFolderByName) &&
        occupiedBytes > 0 &&
        !(await hasBody(content, signal))
      )
        occupiedBytes = 0;
      unlisted.push({ source, name, header, content, storedBytes: occupiedBytes, facts, gnu });
      nextFacts = {};
      extrasInARow = 0;
    }
    position = content + Math.ceil(occupiedBytes / blockBytes) * blockBytes;
    const isFull = entries.length + unlisted.length >= maxEntries;
    if (isFull || position > source.sizeBytes + blockBytes) state = 'cut';
    else if (position >= source.sizeBytes) state = 'whole';
  };
  return {
    entries,
    get state() {
      return state;
    },
    get hasUnknownNames() {
      return unknownNames.length > 0;
    },
    more: async (signal, count = entriesAtOnce) => {
      const targetCount = entries.length + count;
      try {
        // oxlint-disable-next-line no-unmodified-loop-condition -- step changes it
        while (state === 'open' && entries.length + unlisted.length < targetCount) await step(signal);
        list();
      } catch (thrown) {
        list();
        if (thrown instanceof BadFormat) state = 'cut';
        if (entries.length === 0 || !(thrown instanceof BadFormat)) throw thrown;
      }
    },
  };
}

interface FoundEntry {
  readonly source: RangeSource;
  readonly name: Uint8Array;
  readonly header: TarHeader;
  readonly content: number;
  readonly storedBytes: number;
  readonly facts: PaxFacts;
  readonly gnu: GnuSparse | null;
}

function entryOf(
  { source, header, content: start, storedBytes, facts, gnu }: FoundEntry,
  name: string,
): ArchiveEntry {
  const { type } = header;
  const isFolder = type === '5' || type === 'D' || name.endsWith('/');
  const isLink = (type === '1' || type === '2') && storedBytes === 0;
  const isDevice = type === '3' || type === '4' || type === '6';
  const sparse = gnu ?? facts.sparse ?? null;
  const sizeBytes = isFolder || isLink || isDevice ? 0 : (sparse?.sizeBytes ?? storedBytes);
  const contentOf = async (signal: AbortSignal): Promise<RangeSource> => {
    const stored = partOf(source, start, storedBytes);
    if (stored.sizeBytes < storedBytes) throw new BadFormat('The entry ends after the archive.');
    if (sparse === null) return stored;
    if (sparse.map === 'incomplete') throw new BadFormat('The map of a sparse file is not complete.');
    if (sparse.map !== 'leading') return sparseSource(stored, runsOf(sparse.map, sizeBytes), sizeBytes);
    const { map, mapBytes } = await readLeadingMap(stored, signal);
    const content = partOf(stored, mapBytes, storedBytes - mapBytes);
    return sparseSource(content, runsOf(map, sizeBytes), sizeBytes);
  };
  return {
    name,
    isFolder,
    sizeBytes,
    packedBytes: isFolder ? 0 : storedBytes,
    modifiedMs: facts.modifiedMs ?? header.modifiedMs,
    closed: isLink ? 'link' : isDevice ? 'method' : null,
    open: async (signal) => ({ source: await contentOf(signal), isDamaged: false }),
  };
}
