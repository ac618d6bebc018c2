import { fileKinds } from '../../../../shared/keys/file-kind.ts';
import { ageGroups, sizeGroups, type AgeGroup } from '../../../../shared/models/map-groups.ts';
import type { MapFilter, MapMeasure } from '../../../../shared/models/map.ts';
import {
  cellCode,
  classIn,
  kindIn,
  kindNumberOf,
  monthIn,
  monthOf,
  ownerIn,
  sizeIn,
  sizeNumberOf,
  epochS,
  type KeyRow,
} from '../../walks/map/key-row.ts';
import { topFolder, type CellTest, type FolderSums, type Rolled } from '../../walks/map/folder-sums.ts';
import type { Tops } from './tops.ts';

/** The age groups with their upper bounds in months. */
const ageEnds: readonly (readonly [AgeGroup, number])[] = [
  ['month', 1],
  ['quarter', 3],
  ['year', 12],
  ['threeYears', 36],
];

export function ageGroupOf(month: number, nowMonth: number): AgeGroup {
  if (month === 0) return 'unknown';
  return ageEnds.find(([, end]) => nowMonth - month < end)?.[0] ?? 'older';
}

export const isoOf = (seconds: number): string | null =>
  seconds === 0 ? null : new Date(seconds === epochS ? 0 : seconds * 1000).toISOString();
export const nameOfKey = (key: string): string => key.slice(key.lastIndexOf('/') + 1);
export const kindOfKey = (key: string) => fileKinds[kindNumberOf(nameOfKey(key))] ?? 'file';

/** Assigns cells to named groups. `ofCode` returns the index of a cell's group in `names`. */
export interface Grouping {
  readonly names: readonly string[];
  readonly ofCode: (code: number) => number;
}

/** Computes the sums for a map, a table and the facts from the sums of all folders. Results are cached until these change. */
export class MapSums {
  readonly folderSums: FolderSums;
  readonly tops: Tops;
  readonly nowMonth: number;
  readonly #made = new Map<string, unknown>();
  #revision = -1;

  constructor(folderSums: FolderSums, tops: Tops, nowMs: number) {
    this.folderSums = folderSums;
    this.tops = tops;
    this.nowMonth = monthOf(nowMs / 1000);
  }

  rolled(filter: MapFilter): Rolled {
    return this.#kept(`rolled ${JSON.stringify(filter)}`, () => this.folderSums.rollUp(this.testOf(filter)));
  }

  childLists(): ReturnType<FolderSums['childLists']> {
    return this.#kept('children', () => this.folderSums.childLists());
  }

  rolledNewest(): Uint32Array {
    return this.#kept('newest', () => this.folderSums.rolledNewest());
  }

  /** Returns a function that tests cells against a filter; null if the filter accepts everything. */
  testOf({ kinds, storageClasses, ages }: MapFilter): CellTest | null {
    if (kinds === null && storageClasses === null && ages === null) return null;
    const wantedKinds = kinds === null ? null : new Set<number>(kinds.map((kind) => fileKinds.indexOf(kind)));
    const wantedClasses =
      storageClasses === null
        ? null
        : new Set(storageClasses.map((name) => this.folderSums.classes.indexOf(name)));
    const wantedAges = ages === null ? null : new Set<AgeGroup>(ages);
    return (code) =>
      (wantedKinds?.has(kindIn(code)) ?? true) &&
      (wantedClasses?.has(classIn(code)) ?? true) &&
      (wantedAges?.has(ageGroupOf(monthIn(code), this.nowMonth)) ?? true);
  }

  /**
   * Returns the code of the cell that counts this row, but with owner 0, because rows have no owner and filters do not use it.
   */
  codeOf({ key, sizeBytes, storageClass, modifiedS }: KeyRow): number {
    return cellCode({
      kind: kindNumberOf(nameOfKey(key)),
      storageClass: Math.max(0, this.folderSums.classes.indexOf(storageClass)),
      owner: 0,
      size: sizeNumberOf(sizeBytes),
      month: monthOf(modifiedS),
    });
  }

  readonly byKind: Grouping = { names: fileKinds, ofCode: kindIn };
  readonly byAge: Grouping = {
    names: ageGroups,
    ofCode: (code) => ageGroups.indexOf(ageGroupOf(monthIn(code), this.nowMonth)),
  };
  readonly bySize: Grouping = { names: sizeGroups, ofCode: sizeIn };
  byOwner(): Grouping {
    return { names: this.folderSums.owners, ofCode: ownerIn };
  }
  byClass(): Grouping {
    return { names: this.folderSums.classes, ofCode: classIn };
  }

  /** Returns, for each of the folders, the name of the group with the largest sum in it and its subfolders. */
  dominant(
    filter: MapFilter,
    measure: MapMeasure,
    { names, ofCode }: Grouping,
    folders: readonly number[],
  ): (folder: number) => string {
    const test = this.testOf(filter);
    const groups = names.length;
    const sortedFolders = Uint32Array.from(folders).toSorted();
    // Only the given folders get sums. Each cell counts for its nearest ancestor among them; 0 means that it has none.
    const places = new Uint32Array(this.folderSums.folderCount);
    for (const [at, folder] of sortedFolders.entries()) places[folder] = at + 1;
    for (let folder = 1; folder < places.length; folder += 1)
      if (places[folder] === 0) places[folder] = places[this.folderSums.parentOf(folder)] ?? 0;
    const sums = new Float64Array((sortedFolders.length + 1) * groups);
    this.folderSums.eachPart((folder, code, objects, sizeBytes) => {
      if (test !== null && !test(code)) return;
      const at = (places[folder] ?? 0) * groups + ofCode(code);
      sums[at] = (sums[at] ?? 0) + (measure === 'size' ? sizeBytes : objects);
    });
    for (let place = sortedFolders.length; place > 0; place -= 1) {
      const folder = sortedFolders[place - 1] ?? topFolder;
      const above = folder === topFolder ? 0 : (places[this.folderSums.parentOf(folder)] ?? 0);
      for (let group = 0; group < groups; group += 1)
        sums[above * groups + group] =
          (sums[above * groups + group] ?? 0) + (sums[place * groups + group] ?? 0);
    }
    return (folder) => {
      const from = (places[folder] ?? 0) * groups;
      let largest = 0;
      for (let group = 1; group < groups; group += 1)
        if ((sums[from + group] ?? 0) > (sums[from + largest] ?? 0)) largest = group;
      return names[largest] ?? '';
    };
  }

  /** Returns the objects whose names are known, grouped by the number of their folder. */
  objectsByFolder(filter: MapFilter): ReadonlyMap<number, readonly KeyRow[]> {
    return this.#kept(`objects ${JSON.stringify(filter)}`, () => {
      const test = this.testOf(filter);
      const found = new Map<number, KeyRow[]>();
      for (const row of this.tops.stored().largest) {
        if (test !== null && !test(this.codeOf(row))) continue;
        const folder = this.folderSums.find(row.key.slice(0, row.key.lastIndexOf('/') + 1));
        const known = found.get(folder);
        if (known === undefined) found.set(folder, [row]);
        else known.push(row);
      }
      return found;
    });
  }

  #kept<T>(name: string, make: () => T): T {
    // Few views are open at once, so results for older filters can be dropped.
    if (this.#revision !== this.folderSums.revision || this.#made.size > 8) this.#made.clear();
    this.#revision = this.folderSums.revision;
    if (!this.#made.has(name)) this.#made.set(name, make());
    return this.#made.get(name) as T;
  }
}
