import { compareKeys } from '../../../../shared/keys/paths.ts';
import type { ChangeSums, Changes, FolderChange, ObjectChange } from '../../../../shared/models/map.ts';
import type { KeyRow } from '../../walks/map/key-row.ts';
import { LargestFirst } from './tops.ts';

const maxFolders = 100;
const maxObjects = 100;
const rowsPerTurn = 20_000;

export interface RowPair {
  readonly before: KeyRow | null;
  readonly after: KeyRow | null;
}

const nextOf = (rows: Iterator<KeyRow, void, void>): KeyRow | null => {
  const next = rows.next();
  return next.done === true ? null : next.value;
};

/** Merges two lists sorted by key into pairs. A key in both lists gives one pair with both rows. */
export function* merged(
  before: Iterator<KeyRow, void, void>,
  after: Iterator<KeyRow, void, void>,
): Generator<RowPair, void, void> {
  let left = nextOf(before);
  let right = nextOf(after);
  while (left !== null || right !== null) {
    const order = left === null ? 1 : right === null ? -1 : compareKeys(left.key, right.key);
    yield { before: order <= 0 ? left : null, after: order >= 0 ? right : null };
    if (order <= 0) left = nextOf(before);
    if (order >= 0) right = nextOf(after);
  }
}

type Sums = { -readonly [Name in keyof ChangeSums]: ChangeSums[Name] };

const nothing = (): Sums => ({
  addedObjects: 0,
  addedBytes: 0,
  removedObjects: 0,
  removedBytes: 0,
  changedObjects: 0,
  changedBytes: 0,
});

/**
 * Computes the differences between two listings below a prefix: totals, sums of the direct subfolders, and the largest changed
 * objects.
 */
export async function changesOf(
  before: Iterator<KeyRow, void, void>,
  after: Iterator<KeyRow, void, void>,
  prefix: string,
  turn: () => Promise<void>,
): Promise<Changes> {
  const total = nothing();
  const folders = new Map<string, Sums>();
  const objects = new LargestChanges(maxObjects);
  let rows = 0;
  for (const pair of merged(before, after)) {
    rows += 1;
    if (rows % rowsPerTurn === 0) await turn();
    const change = changeOf(pair);
    if (change === null) continue;
    const end = change.key.indexOf('/', prefix.length);
    const name = end === -1 ? '' : change.key.slice(prefix.length, end);
    let sums = folders.get(name);
    if (sums === undefined) folders.set(name, (sums = nothing()));
    count(total, change);
    count(sums, change);
    objects.add(change);
  }
  const all = [...folders].map(([name, sums]): FolderChange => ({ name, ...sums }));
  all.sort((left, right) => movedBytes(right) - movedBytes(left) || compareKeys(left.name, right.name));
  return { total, folders: all.slice(0, maxFolders), folderCount: all.length, objects: objects.largest() };
}

/** Returns the change of one object; null if it did not change. Compares sizes, and ETags if both are known, otherwise times. */
function changeOf({ before, after }: RowPair): ObjectChange | null {
  if (before === null)
    return after === null
      ? null
      : { kind: 'added', key: after.key, beforeBytes: null, afterBytes: after.sizeBytes };
  if (after === null)
    return { kind: 'removed', key: before.key, beforeBytes: before.sizeBytes, afterBytes: null };
  if (isSame(before, after)) return null;
  return { kind: 'changed', key: after.key, beforeBytes: before.sizeBytes, afterBytes: after.sizeBytes };
}

const hasBits = (row: KeyRow): boolean => row.etagHigh !== 0 || row.etagLow !== 0;

function isSame(before: KeyRow, after: KeyRow): boolean {
  if (before.sizeBytes !== after.sizeBytes) return false;
  if (hasBits(before) && hasBits(after))
    return before.etagHigh === after.etagHigh && before.etagLow === after.etagLow;
  return before.modifiedS === after.modifiedS;
}

function count(sums: Sums, { kind, beforeBytes, afterBytes }: ObjectChange): void {
  const bytes = (afterBytes ?? 0) - (beforeBytes ?? 0);
  sums[`${kind}Objects` as const] += 1;
  sums[`${kind}Bytes` as const] += kind === 'removed' ? -bytes : bytes;
}

const movedBytes = (sums: ChangeSums): number =>
  sums.addedBytes + sums.removedBytes + Math.abs(sums.changedBytes);

const weightOf = ({ beforeBytes, afterBytes }: ObjectChange): number =>
  Math.abs((afterBytes ?? 0) - (beforeBytes ?? 0));

/** Keeps the changes with the most bytes. When full, it removes the smallest change. */
class LargestChanges {
  readonly #maxRows: number;
  readonly #heap = new LargestFirst<{ readonly value: number; readonly change: ObjectChange }>();
  #count = 0;

  constructor(maxRows: number) {
    this.#maxRows = maxRows;
  }

  add(change: ObjectChange): void {
    this.#heap.add({ value: -weightOf(change), change });
    this.#count += 1;
    if (this.#count <= this.#maxRows) return;
    this.#heap.take();
    this.#count -= 1;
  }

  largest(): ObjectChange[] {
    const rising: ObjectChange[] = [];
    for (let next = this.#heap.take(); next !== null; next = this.#heap.take()) rising.push(next.change);
    return rising.toReversed();
  }
}
