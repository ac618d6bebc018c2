import { grownInts } from './columns.ts';

/**
 * Stores the cells of folders as 32-bit words in blocks. Blocks are never copied to grow, and are stored on disk unchanged.
 * The cells of a folder that one call adds form a run:
 *
 *     run    folder, address of the folder's previous run (0: none), cells
 *     cell   code, bytes                   one object of less than 4 GiB
 *            code, objects, bytes          `counted`: both less than 2^32
 *            code, objects (2), bytes (2)  `wide`: two f64
 *
 * Each further call adds another run, which may repeat cells of earlier ones. Such runs are merged when they outnumber the
 * first ones.
 */
const blockBits = 16;
const blockWords = 2 ** blockBits;
/** The first address in use; 0 is reserved for “no run”. */
const firstWord = 1;
const headWords = 2;
/** A cell's code has 29 bits (key-row.ts). The three upper bits of its word describe the layout and the end of the run. */
const codeMask = 2 ** 29 - 1;
const counted = 1 << 29;
const wide = 1 << 30;
const lastOfRun = 1 << 31;
const maxWordsPerCell = 5;

/** Three numbers for each cell: `[code, objects, bytes, …]`. */
export type Cells = readonly number[];
export type VisitCell = (folder: number, code: number, objects: number, sizeBytes: number) => void;
type Words = Uint32Array<ArrayBuffer>;

export class CellRuns {
  #blocks: Words[] = [];
  /** The number of words used in the last block. All earlier blocks have exactly the length in use. */
  #used = 0;
  #words = 0;
  /** The number of words in second and later runs of a folder. */
  #repeated = 0;
  /** The address of each folder's last run. */
  #last: Words = new Uint32Array(64);

  /**
   * Restores runs from stored blocks and takes ownership of them. Throws a RangeError if they are not valid runs for
   * `folderCount` folders.
   */
  static of(blocks: readonly Words[], folderCount: number): CellRuns {
    const runs = new CellRuns();
    runs.#blocks = [...blocks];
    runs.#used = blocks.at(-1)?.length ?? 0;
    runs.#last = new Uint32Array(folderCount);
    for (const [number, words] of blocks.entries()) runs.#link(number, words);
    return runs;
  }

  /** Adds a run of cells for a folder. `cells` must not contain a code twice. */
  add(folder: number, cells: Cells): void {
    const before = this.#words;
    const isRepeated = (this.#last[folder] ?? 0) !== 0;
    this.#append(folder, cells);
    if (!isRepeated) return;
    this.#repeated += this.#words - before;
    if (this.#repeated > Math.max(blockWords, this.#words - this.#repeated)) this.#merge();
  }

  /** Visits all cells of all folders. If several runs of a folder contain a cell, it is visited once for each of them. */
  eachPart(visit: VisitCell): void {
    for (const [number, words] of this.blocks().entries())
      for (let at = number === 0 ? firstWord : 0; at < words.length;) at = visitRun(words, at, visit);
  }

  /** Visits the cells of one folder. If several runs contain a cell, it is visited once for each of them. */
  eachPartOf(folder: number, visit: VisitCell): void {
    for (let address = this.#last[folder] ?? 0; address !== 0;) {
      const words = this.#blocks[address >>> blockBits] ?? noWords;
      const at = address & (blockWords - 1);
      visitRun(words, at, visit);
      address = words[at + 1] ?? 0;
    }
  }

  /** Yields the cells of each folder, merged so that each code appears once. */
  *wholes(): Generator<readonly [folder: number, cells: Cells], void, void> {
    for (let folder = 0; folder < this.#last.length; folder += 1) {
      if (this.#last[folder] === 0) continue;
      const whole = new WholeCells();
      this.eachPartOf(folder, (_folder, code, objects, sizeBytes) => whole.add(code, objects, sizeBytes));
      yield [folder, whole.cells];
    }
  }

  /** Returns the blocks for storing. They are not copied, so the caller must store them before the next `add`. */
  blocks(): readonly Words[] {
    return [
      ...this.#blocks.slice(0, -1),
      ...this.#blocks.slice(-1).map((last) => last.subarray(0, this.#used)),
    ];
  }

  #append(folder: number, cells: Cells): void {
    let words = this.#blocks.at(-1);
    let last = -1;
    for (let from = 0; from < cells.length; from += 3) {
      if (words === undefined || this.#used + headWords + maxWordsPerCell > words.length) {
        if (words !== undefined && last !== -1) words[last] = (words[last] ?? 0) | lastOfRun;
        words = this.#begin();
        last = -1;
      }
      const begun = this.#used;
      if (last === -1) this.#beginRun(words, folder);
      last = this.#used;
      this.#used = putCell(words, last, cells[from] ?? 0, cells[from + 1] ?? 0, cells[from + 2] ?? 0);
      this.#words += this.#used - begun;
    }
    if (words !== undefined && last !== -1) words[last] = (words[last] ?? 0) | lastOfRun;
  }

  #begin(): Words {
    const before = this.#blocks.pop();
    if (before !== undefined) this.#blocks.push(before.subarray(0, this.#used));
    const words = new Uint32Array(blockWords);
    this.#blocks.push(words);
    this.#used = this.#blocks.length === 1 ? firstWord : 0;
    return words;
  }

  #beginRun(words: Words, folder: number): void {
    this.#last = grownInts(this.#last, folder + 1);
    words[this.#used] = folder;
    words[this.#used + 1] = this.#last[folder] ?? 0;
    this.#last[folder] = (this.#blocks.length - 1) * blockWords + this.#used;
    this.#used += headWords;
  }

  #merge(): void {
    const merged = new CellRuns();
    for (const [folder, cells] of this.wholes()) merged.#append(folder, cells);
    this.#blocks = merged.#blocks;
    this.#used = merged.#used;
    this.#words = merged.#words;
    this.#last = merged.#last;
    this.#repeated = 0;
  }

  /** Sets the address of the previous run in each run of a block. Stored addresses are ignored, since they may be damaged. */
  #link(number: number, words: Words): void {
    let at = number === 0 ? firstWord : 0;
    while (at < words.length) {
      const folder = words[at] ?? 0;
      words[at + 1] = this.#last[folder] ?? unsound();
      this.#last[folder] = number * blockWords + at;
      at += headWords;
      for (let head = 0; (head & lastOfRun) === 0;) {
        head = words[at] ?? unsound();
        at += wordsOf(head);
      }
    }
    if (at !== Math.max(words.length, number === 0 ? firstWord : 0) || words.length > blockWords) unsound();
    this.#words += words.length;
  }
}

/** Merges cells with the same code by adding up their objects and bytes. */
export class WholeCells {
  readonly cells: number[] = [];
  readonly #places = new Map<number, number>();

  add(code: number, objects: number, sizeBytes: number): void {
    const { cells } = this;
    const known = this.#places.get(code);
    if (known === undefined) this.#places.set(code, cells.push(code, objects, sizeBytes) - 3);
    else {
      cells[known + 1] = (cells[known + 1] ?? 0) + objects;
      cells[known + 2] = (cells[known + 2] ?? 0) + sizeBytes;
    }
  }
}

const noWords: Words = new Uint32Array();
const float = new Float64Array(1);
const halves = new Uint32Array(float.buffer);

/** Visits the cells of a run. Returns the position after the run. */
function visitRun(words: Words, from: number, visit: VisitCell): number {
  const folder = words[from] ?? 0;
  let at = from + headWords;
  for (let head = 0; (head & lastOfRun) === 0;) {
    head = words[at] ?? 0;
    const code = head & codeMask;
    if ((head & (counted | wide)) === 0) {
      visit(folder, code, 1, words[at + 1] ?? 0);
      at += 2;
    } else if ((head & wide) === 0) {
      visit(folder, code, words[at + 1] ?? 0, words[at + 2] ?? 0);
      at += 3;
    } else {
      visit(folder, code, wideAt(words, at + 1), wideAt(words, at + 3));
      at += 5;
    }
  }
  return at;
}

function wordsOf(head: number): number {
  return (head & wide) !== 0 ? 5 : (head & counted) !== 0 ? 3 : 2;
}

/** Writes a cell in the shortest layout for its numbers. Returns the position after the cell. */
function putCell(words: Words, at: number, code: number, objects: number, sizeBytes: number): number {
  if (objects >>> 0 !== objects || sizeBytes >>> 0 !== sizeBytes) {
    words[at] = code | wide;
    putWide(words, at + 1, objects);
    putWide(words, at + 3, sizeBytes);
    return at + 5;
  }
  if (objects !== 1) {
    words[at] = code | counted;
    words[at + 1] = objects;
    words[at + 2] = sizeBytes;
    return at + 3;
  }
  words[at] = code;
  words[at + 1] = sizeBytes;
  return at + 2;
}

function putWide(words: Words, at: number, value: number): void {
  float[0] = value;
  words[at] = halves[0] ?? 0;
  words[at + 1] = halves[1] ?? 0;
}

function wideAt(words: Words, at: number): number {
  halves[0] = words[at] ?? 0;
  halves[1] = words[at + 1] ?? 0;
  return float[0] ?? 0;
}

function unsound(): never {
  throw new RangeError('The cells of a catalogue are inconsistent.');
}
