import { findWord, foldName, matchRank, spanInName, typedWords } from '../../../../shared/keys/name-match.ts';
import type { FoundName } from '../../../../shared/models/map.ts';
import type { CatalogueReader } from './catalogue-reader.ts';
import { gramsOf } from './grams.ts';
import { isoOf } from './map-sums.ts';

/** Added to the rank of a match whose path, but not its name, contains some of the words. */
const pathRank = matchRank.inside + 1;

/** A catalogue in which names are searched. */
export interface NamedCatalogue {
  readonly catalogueId: string;
  readonly connectionId: string;
  readonly bucket: string;
  readonly prefix: string;
}

export interface FindInput {
  readonly findId: string;
  readonly text: string;
  readonly catalogues: readonly NamedCatalogue[];
  readonly limit: number;
}

interface OpenCatalogue {
  readonly catalogue: NamedCatalogue;
  readonly reader: CatalogueReader;
  /** The ids of blocks that may contain every word, in key order. */
  readonly blockIds: readonly number[];
  next: number;
  /** The last folder reported as a match. Objects in it must not report it again. */
  folder: string;
}

/**
 * Finds objects and folders in several catalogues by words of their names. Works in time slices and alternates between catalogues
 * after each block, so that a large one does not delay the others. Keeps only the best matches.
 */
export class NameFinder {
  readonly #words: readonly string[];
  /** The number of segments at the end of a key that count as its name. */
  readonly #segments: number;
  readonly #limit: number;
  readonly #onUnreadable: (catalogueId: string, thrown: unknown) => void;
  readonly #open: OpenCatalogue[] = [];
  #best: FoundName[] = [];

  /** `onUnreadable` is called for each catalogue that cannot be read, and closed. It throws if the search must end. */
  constructor(text: string, limit: number, onUnreadable: (catalogueId: string, thrown: unknown) => void) {
    // A word such as `2026/06` matches two segments of a path. Slashes around a word are removed.
    this.#words = typedWords(text)
      .map((word) => word.replaceAll(/^\/+|\/+$/gu, ''))
      .filter((word) => word !== '');
    this.#segments = Math.max(1, ...this.#words.map((word) => word.split('/').length));
    this.#limit = limit;
    this.#onUnreadable = onUnreadable;
  }

  /** Opens a catalogue for the search. */
  add(catalogue: NamedCatalogue, open: () => CatalogueReader): void {
    let reader: CatalogueReader | null = null;
    try {
      reader = open();
      this.#open.push({ catalogue, reader, blockIds: this.#blockIdsOf(reader), next: 0, folder: '' });
    } catch (thrown) {
      reader?.close();
      this.#onUnreadable(catalogue.catalogueId, thrown);
    }
  }

  #blockIdsOf(reader: CatalogueReader): readonly number[] {
    const tests = this.#words.map((word) => reader.holding(gramsOf(word)));
    return reader
      .blocks()
      .map(({ id }) => id)
      .filter((id) => tests.every((mayHold) => mayHold === null || mayHold(id)));
  }

  /** Searches until `endMs`. Returns true when all catalogues were searched, or no better match is possible. */
  turn(endMs: number, nowMs: () => number): boolean {
    while (this.#open.length > 0 && this.#words.length > 0) {
      const opened = this.#open.shift();
      if (opened === undefined) break;
      try {
        this.#readBlock(opened);
        if (opened.next < opened.blockIds.length) this.#open.push(opened);
        else opened.reader.close();
      } catch (thrown) {
        opened.reader.close();
        this.#onUnreadable(opened.catalogue.catalogueId, thrown);
      }
      if (this.#isSettled()) return true;
      if (nowMs() >= endMs) break;
    }
    return this.#open.length === 0 || this.#words.length === 0;
  }

  /** Returns the best matches so far, starting with the best. */
  best(): FoundName[] {
    this.#best = this.#best.toSorted(byRank).slice(0, this.#limit);
    return this.#best;
  }

  close(): void {
    for (const { reader } of this.#open.splice(0)) reader.close();
  }

  /** Returns true if the list is full and each match in it starts with the words. No later match can then rank higher. */
  #isSettled(): boolean {
    if (this.#best.length < this.#limit) return false;
    return (this.best().at(-1)?.rank ?? pathRank) <= matchRank.start;
  }

  #readBlock(opened: OpenCatalogue): void {
    const id = opened.blockIds[opened.next];
    opened.next += 1;
    if (id === undefined) return;
    const block = opened.reader.block({ id });
    for (const [row, key] of block.keys().entries()) {
      const folded = foldName(key);
      if (!this.#words.every((word) => folded.includes(word))) continue;
      const folder = this.#folderOf(key, folded, opened.catalogue.prefix.length);
      if (folder !== null && folder !== opened.folder) {
        opened.folder = folder;
        this.#keep(opened.catalogue, folder, null, null);
      }
      if (key.endsWith('/')) continue;
      this.#keep(opened.catalogue, key, block.sizes[row] ?? 0, isoOf(block.seconds[row] ?? 0));
    }
    if (this.#best.length > this.#limit * 4) this.best();
  }

  /** Returns the outermost folder in a key's path that contains all words; null if only the whole key contains them. */
  #folderOf(key: string, folded: string, from: number): string | null {
    const end = this.#words.reduce((last, word) => Math.max(last, folded.indexOf(word) + word.length), 0);
    const last = spanInName(key, folded, end - 1, 1).at;
    const slash = key.indexOf('/', Math.max(last, from));
    return slash === -1 ? null : key.slice(0, slash + 1);
  }

  #keep(
    { connectionId, bucket }: NamedCatalogue,
    key: string,
    sizeBytes: number | null,
    modified: string | null,
  ): void {
    const name = lastSegments(key, this.#segments);
    const folded = foldName(name);
    let rank: number = matchRank.whole;
    let inName = 0;
    for (const word of this.#words) {
      const match = findWord(name, folded, word);
      if (match === null) continue;
      inName += 1;
      rank = Math.max(rank, match.rank);
    }
    // All words are in the path, so the match is a folder of the path, not this object.
    if (inName === 0) return;
    if (inName < this.#words.length) rank += pathRank;
    this.#best.push({ connectionId, bucket, key, sizeBytes, modified, rank });
  }
}

/** Returns the last `count` segments of a key, without the final slash of a folder. */
function lastSegments(key: string, count: number): string {
  const end = key.endsWith('/') ? key.length - 1 : key.length;
  let start = end;
  for (let left = count; left > 0 && start > 0; left -= 1) start = key.lastIndexOf('/', start - 1);
  return key.slice(start + 1, end);
}

function byRank(name: FoundName, other: FoundName): number {
  return name.rank - other.rank || name.key.length - other.key.length;
}
