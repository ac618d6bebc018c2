import { encodeBlock } from './block.ts';
import {
  cellCode,
  kindNumberOf,
  monthOf,
  maxClasses,
  maxOwners,
  sizeNumberOf,
  epochS,
  etagBits,
  type KeyRow,
} from './key-row.ts';
import { NumberedNames } from './columns.ts';

/** A run of consecutive objects in one folder. The cells are `[code, objects, bytes, …]`. */
export interface FolderRun {
  /** The key up to and including its last `/`; '' for the top of the bucket. */
  readonly folder: string;
  readonly newestS: number;
  /** The oldest modification in seconds since 1970; 0 if no object in the run has a time. */
  readonly oldestS: number;
  /** True if the objects include the folder's placeholder, an object named `a/`. */
  readonly hasMarker: boolean;
  readonly cells: readonly number[];
}

/** The owners of consecutive objects, as `[number of objects, owner, …]`. The owner is '' if the service sends none. */
export type OwnerRuns = readonly (number | string)[];

export interface KeyPage {
  /** The storage classes; codes of cells contain indexes into this list. */
  readonly classes: readonly string[];
  readonly owners: readonly string[];
  readonly runs: readonly FolderRun[];
  /** The owners of the objects, in the order of the block. */
  readonly ownerRuns: OwnerRuns;
  /** The encoded objects (block.ts). */
  readonly block: Uint8Array;
}

const ordinaryClass = 'STANDARD';

/** Collects listed objects and encodes them as a page for maps and catalogues. */
export class KeyPageWriter {
  readonly #rows: KeyRow[] = [];
  readonly #classes = new NumberedNames(maxClasses);
  readonly #owners = new NumberedNames(maxOwners);
  readonly #runs: (Omit<FolderRun, 'cells' | 'newestS' | 'oldestS' | 'hasMarker'> & {
    newestS: number;
    oldestS: number;
    hasMarker: boolean;
    readonly cells: number[];
    readonly places: Map<number, number>;
  })[] = [];
  readonly #ownerRuns: (number | string)[] = [];
  #time = '';
  #timeS = 0;

  add(
    key: string,
    sizeBytes: number,
    lastModified: string | null,
    etag: string | null,
    storageClass: string | null,
    /** The owner's name; null if the service sends none. */
    owner: string | null = null,
  ): void {
    const modifiedS = this.#secondsOf(lastModified);
    const [etagHigh, etagLow] = etagBits(etag);
    const className = storageClass ?? ordinaryClass;
    this.#rows.push({ key, sizeBytes, modifiedS, etagHigh, etagLow, storageClass: className });
    this.#addOwner(owner ?? '');
    const end = key.lastIndexOf('/') + 1;
    const folder = key.slice(0, end);
    let run = this.#runs.at(-1);
    if (run?.folder !== folder) {
      run = { folder, newestS: 0, oldestS: 0, hasMarker: false, cells: [], places: new Map() };
      this.#runs.push(run);
    }
    run.newestS = Math.max(run.newestS, modifiedS);
    if (modifiedS > 0) run.oldestS = run.oldestS === 0 ? modifiedS : Math.min(run.oldestS, modifiedS);
    if (end === key.length) run.hasMarker = true;
    const code = cellCode({
      kind: kindNumberOf(key.slice(end)),
      storageClass: this.#classes.numberOf(className),
      owner: this.#owners.numberOf(owner ?? ''),
      size: sizeNumberOf(sizeBytes),
      month: monthOf(modifiedS),
    });
    let place = run.places.get(code);
    if (place === undefined) {
      place = run.cells.push(code, 0, 0) - 3;
      run.places.set(code, place);
    }
    run.cells[place + 1] = (run.cells[place + 1] ?? 0) + 1;
    run.cells[place + 2] = (run.cells[place + 2] ?? 0) + sizeBytes;
  }

  /** Returns the encoded page, which `readKeyPage` decodes; null if no object was added. */
  finish(): Uint8Array<ArrayBuffer> | null {
    if (this.#rows.length === 0) return null;
    const runs = this.#runs.map(({ folder, newestS, oldestS, hasMarker, cells }) => [
      folder,
      newestS,
      oldestS,
      hasMarker ? 1 : 0,
      cells,
    ]);
    const block = encodeBlock(this.#rows);
    const head = Buffer.from(
      JSON.stringify([this.#classes.names, this.#owners.names, runs, this.#ownerRuns]),
      'utf8',
    );
    // The block starts at a multiple of 8 bytes, as its number columns require.
    const from = Math.ceil((4 + head.byteLength) / 8) * 8;
    const bytes = new Uint8Array(from + block.byteLength);
    new DataView(bytes.buffer).setUint32(0, head.byteLength, true);
    bytes.set(head, 4);
    bytes.set(block, from);
    return bytes;
  }

  #addOwner(owner: string): void {
    const runs = this.#ownerRuns;
    if (runs.at(-1) === owner) runs[runs.length - 2] = Number(runs.at(-2)) + 1;
    else runs.push(1, owner);
  }

  #secondsOf(time: string | null): number {
    if (time === null) return 0;
    if (time !== this.#time) {
      const atMs = Date.parse(time);
      this.#time = time;
      this.#timeS = Number.isNaN(atMs) ? 0 : Math.min(0xffff_ffff, Math.max(epochS, Math.floor(atMs / 1000)));
    }
    return this.#timeS;
  }
}

type StoredRun = readonly [string, number, number, 0 | 1, readonly number[]];

/** Yields the owner of each object, one value per object. */
export function* ownersOf(runs: OwnerRuns): Generator<string, void, void> {
  for (let at = 0; at < runs.length; at += 2)
    for (let left = Number(runs[at]); left > 0; left -= 1) yield String(runs[at + 1]);
}

export function readKeyPage(bytes: Uint8Array): KeyPage {
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  const head = Buffer.from(bytes.buffer, bytes.byteOffset + 4, length).toString('utf8');
  const [classes, owners, runs, ownerRuns] = JSON.parse(head) as [
    readonly string[],
    readonly string[],
    readonly StoredRun[],
    OwnerRuns,
  ];
  return {
    classes,
    owners,
    ownerRuns,
    runs: runs.map(([folder, newestS, oldestS, marker, cells]) => ({
      folder,
      newestS,
      oldestS,
      hasMarker: marker === 1,
      cells,
    })),
    block: bytes.subarray(Math.ceil((4 + length) / 8) * 8),
  };
}
