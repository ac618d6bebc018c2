import { CellRuns, WholeCells, type VisitCell } from './cell-runs.ts';
import { cellCode, classIn, kindIn, monthIn, maxClasses, maxOwners, ownerIn, sizeIn } from './key-row.ts';
import { grownInts, HashPlaces, hashOfText, mixed, NumberedNames } from './columns.ts';
import { FolderNames, type StoredNames } from './folder-names.ts';
import type { KeyPage } from './key-page.ts';

/** Returns true if cells with this code are included in a sum. */
export type CellTest = (code: number) => boolean;

/** Sums of the objects in and below each folder, indexed by the folder's number. */
export interface Rolled {
  readonly objects: Float64Array;
  readonly sizeBytes: Float64Array;
  /** The number of objects directly in the folder; `directBytes` is their size. */
  readonly directObjects: Float64Array;
  readonly directBytes: Float64Array;
}

export const topFolder = 0;

/**
 * Holds the sums of all folders below a prefix: folder names and cells (key-row.ts), but no keys. The data are columns of
 * numbers, because a bucket may have a million folders. A folder's number is larger than its parent's.
 */
export class FolderSums {
  /** The prefix that all folders share. */
  readonly prefix: string;
  #classes = new NumberedNames(maxClasses);
  #owners = new NumberedNames(maxOwners);
  #names = new FolderNames();
  #parents: Uint32Array<ArrayBuffer> = new Uint32Array(64);
  #newest: Uint32Array<ArrayBuffer> = new Uint32Array(64);
  #oldest: Uint32Array<ArrayBuffer> = new Uint32Array(64);
  #markers: Uint32Array<ArrayBuffer> = new Uint32Array(64);
  #cells = new CellRuns();
  readonly #folderPlaces = new HashPlaces();
  #objects = 0;
  #sizeBytes = 0;
  #revision = 0;

  constructor(prefix: string) {
    this.prefix = prefix;
    this.#names.add('');
  }

  get folderCount(): number {
    return this.#names.length;
  }
  get objects(): number {
    return this.#objects;
  }
  get sizeBytes(): number {
    return this.#sizeBytes;
  }
  /** A number that changes with each modification of the sums. */
  get revision(): number {
    return this.#revision;
  }
  get classes(): readonly string[] {
    return this.#classes.names;
  }
  /** The owners of objects. '' is the owner of objects for which none is known. */
  get owners(): readonly string[] {
    return this.#owners.names;
  }

  add({ classes, owners, runs }: Omit<KeyPage, 'block' | 'ownerRuns'>): void {
    const classNumbers = classes.map((name) => this.#classes.numberOf(name));
    const ownerNumbers = owners.map((name) => this.#owners.numberOf(name));
    this.#revision += 1;
    for (const { folder, newestS, oldestS, hasMarker, cells } of runs) {
      const number = this.#folderAt(folder);
      this.#newest[number] = Math.max(this.#newest[number] ?? 0, newestS);
      const oldest = this.#oldest[number] ?? 0;
      if (oldestS > 0) this.#oldest[number] = oldest === 0 ? oldestS : Math.min(oldest, oldestS);
      if (hasMarker) this.#markers[number] = 1;
      const whole = new WholeCells();
      for (let at = 0; at < cells.length; at += 3) {
        const code = cells[at] ?? 0;
        const mergedCode = cellCode({
          kind: kindIn(code),
          storageClass: classNumbers[classIn(code)] ?? 0,
          owner: ownerNumbers[ownerIn(code)] ?? 0,
          size: sizeIn(code),
          month: monthIn(code),
        });
        const objects = cells[at + 1] ?? 0;
        const sizeBytes = cells[at + 2] ?? 0;
        // Beyond the limit, several classes or owners share one number. Their cells then have the same code and are merged.
        whole.add(mergedCode, objects, sizeBytes);
        this.#objects += objects;
        this.#sizeBytes += sizeBytes;
      }
      this.#cells.add(number, whole.cells);
    }
  }

  /** Returns the number of the folder with this full path; -1 if it is unknown. */
  find(path: string): number {
    if (path === this.prefix) return topFolder;
    if (!path.startsWith(this.prefix)) return -1;
    let number = topFolder;
    for (let from = this.prefix.length; from < path.length;) {
      const end = path.indexOf('/', from) + 1;
      if (end === 0) return -1;
      number = this.#child(number, path.slice(from, end - 1));
      if (number === -1) return -1;
      from = end;
    }
    return number;
  }

  nameOf(folder: number): string {
    return this.#names.at(folder);
  }
  parentOf(folder: number): number {
    return this.#parents[folder] ?? topFolder;
  }
  newestOf(folder: number): number {
    return this.#newest[folder] ?? 0;
  }
  hasMarker(folder: number): boolean {
    return this.#markers[folder] === 1;
  }

  pathOf(folder: number): string {
    let path = '';
    for (let at = folder; at !== topFolder; at = this.parentOf(at)) path = `${this.nameOf(at)}/${path}`;
    return this.prefix + path;
  }

  /** Visits all cells. A cell may be visited several times, each time with some of its objects. That is enough for sums. */
  eachPart(visit: VisitCell): void {
    this.#cells.eachPart(visit);
  }

  /** Visits each cell of each folder exactly once, with all its objects. */
  eachCell(visit: VisitCell): void {
    for (const [folder, cells] of this.#cells.wholes())
      for (let at = 0; at < cells.length; at += 3)
        visit(folder, cells[at] ?? 0, cells[at + 1] ?? 0, cells[at + 2] ?? 0);
  }

  /** Returns the sums of all folders, including their subfolders, over the cells that pass the test; null includes all cells. */
  rollUp(test: CellTest | null): Rolled {
    const { folderCount } = this;
    const directObjects = new Float64Array(folderCount);
    const directBytes = new Float64Array(folderCount);
    this.eachPart((folder, code, count, bytes) => {
      if (test !== null && !test(code)) return;
      directObjects[folder] = (directObjects[folder] ?? 0) + count;
      directBytes[folder] = (directBytes[folder] ?? 0) + bytes;
    });
    const objects = directObjects.slice();
    const sizeBytes = directBytes.slice();
    for (let folder = folderCount - 1; folder > topFolder; folder -= 1) {
      const parent = this.parentOf(folder);
      objects[parent] = (objects[parent] ?? 0) + (objects[folder] ?? 0);
      sizeBytes[parent] = (sizeBytes[parent] ?? 0) + (sizeBytes[folder] ?? 0);
    }
    return { objects, sizeBytes, directObjects, directBytes };
  }

  /** Returns the latest modification in each folder and its subfolders, in seconds since 1970. */
  rolledNewest(): Uint32Array {
    const newest = this.#newest.slice(0, this.folderCount);
    for (let folder = this.folderCount - 1; folder > topFolder; folder -= 1) {
      const parent = this.parentOf(folder);
      newest[parent] = Math.max(newest[parent] ?? 0, newest[folder] ?? 0);
    }
    return newest;
  }

  /**
   * Returns the direct subfolders of all folders in one list. Those of folder `f` are at `starts[f]` up to, not including,
   * `starts[f + 1]`.
   */
  childLists(): { readonly starts: Uint32Array; readonly children: Uint32Array } {
    const { folderCount } = this;
    const starts = new Uint32Array(folderCount + 1);
    for (let folder = 1; folder < folderCount; folder += 1) {
      const next = this.parentOf(folder) + 1;
      starts[next] = (starts[next] ?? 0) + 1;
    }
    for (let folder = 0; folder < folderCount; folder += 1)
      starts[folder + 1] = (starts[folder + 1] ?? 0) + (starts[folder] ?? 0);
    const filled = starts.slice(0, folderCount);
    const children = new Uint32Array(Math.max(0, folderCount - 1));
    for (let folder = 1; folder < folderCount; folder += 1) {
      const parent = this.parentOf(folder);
      const place = filled[parent] ?? 0;
      children[place] = folder;
      filled[parent] = place + 1;
    }
    return { starts, children };
  }

  /** Returns one byte per folder: 1 for `folder` itself and for all folders below it, otherwise 0. */
  below(folder: number): Uint8Array {
    const isBelow = new Uint8Array(this.folderCount);
    isBelow[folder] = 1;
    for (let at = folder + 1; at < this.folderCount; at += 1)
      if (isBelow[this.parentOf(at)] === 1) isBelow[at] = 1;
    return isBelow;
  }

  /** Returns the columns of the sums for storing, without copying them. */
  stored(): StoredSums {
    const { folderCount } = this;
    return {
      prefix: this.prefix,
      classes: this.classes,
      owners: this.owners,
      names: this.#names.stored(),
      parents: this.#parents.subarray(0, folderCount),
      newest: this.#newest.subarray(0, folderCount),
      oldest: this.#oldest.subarray(0, folderCount),
      markers: this.#markers.subarray(0, folderCount),
      cells: this.#cells.blocks(),
    };
  }

  /** Restores the sums. Throws a RangeError if the columns are inconsistent. */
  static of(stored: StoredSums): FolderSums {
    const folderSums = new FolderSums(stored.prefix);
    const folders = stored.names.ends.length;
    const columns = [stored.parents, stored.newest, stored.oldest, stored.markers];
    const isSound =
      folders > 0 &&
      columns.every(({ length }) => length === folders) &&
      stored.parents.every((parent, folder) => folder === topFolder || parent < folder);
    if (!isSound) throw new RangeError('The sums of a catalogue are inconsistent.');
    folderSums.#fill(stored);
    return folderSums;
  }

  #fill(stored: StoredSums): void {
    this.#classes = new NumberedNames(maxClasses, stored.classes);
    this.#owners = new NumberedNames(maxOwners, stored.owners);
    this.#names = FolderNames.of(stored.names);
    this.#parents = stored.parents;
    this.#newest = stored.newest;
    this.#oldest = stored.oldest;
    this.#markers = stored.markers;
    this.#cells = CellRuns.of(stored.cells, this.folderCount);
    for (let folder = 1; folder < this.#names.length; folder += 1)
      this.#folderPlaces.add(folder, this.#folderHash);
    this.eachPart((_folder, _code, objects, sizeBytes) => {
      this.#objects += objects;
      this.#sizeBytes += sizeBytes;
    });
  }

  readonly #folderHash = (folder: number): number => mixed(this.parentOf(folder), this.#names.hashOf(folder));

  #child(parent: number, name: string): number {
    return this.#folderPlaces.find(
      mixed(parent, hashOfText(name)),
      (folder) => this.#parents[folder] === parent && this.#names.is(folder, name),
    );
  }

  /** Returns the number of the folder with this full path. Adds the folder and its parents if they are missing. */
  #folderAt(path: string): number {
    let number = topFolder;
    for (let from = this.prefix.length; from < path.length;) {
      const end = path.indexOf('/', from) + 1;
      const name = path.slice(from, end - 1);
      const known = this.#child(number, name);
      number = known === -1 ? this.#addFolder(number, name) : known;
      from = end;
    }
    return number;
  }

  #addFolder(parent: number, name: string): number {
    const folder = this.#names.add(name);
    const needed = folder + 1;
    this.#parents = grownInts(this.#parents, needed);
    this.#newest = grownInts(this.#newest, needed);
    this.#oldest = grownInts(this.#oldest, needed);
    this.#markers = grownInts(this.#markers, needed);
    this.#parents[folder] = parent;
    this.#folderPlaces.add(folder, this.#folderHash);
    return folder;
  }
}

export interface StoredSums {
  readonly prefix: string;
  readonly classes: readonly string[];
  readonly owners: readonly string[];
  readonly names: StoredNames;
  readonly parents: Uint32Array<ArrayBuffer>;
  readonly newest: Uint32Array<ArrayBuffer>;
  readonly oldest: Uint32Array<ArrayBuffer>;
  readonly markers: Uint32Array<ArrayBuffer>;
  /** The blocks of `CellRuns`. */
  readonly cells: readonly Uint32Array<ArrayBuffer>[];
}
