import { compareKeys } from '../../../../shared/keys/order.ts';
import type { FolderRow } from './folder-row.ts';
import { keysPerBlock, packKeys, unpackBlock, type PackedKeys } from './packed-keys.ts';

/** Bits of a row's flags. */
const flag = { folder: 1, etagAsBytes: 2, etagQuoted: 4, otherEtag: 8 } as const;
const etagBytes = 16;
/** An MD5 as S3 writes it, with the number of parts of a multipart upload. */
const etagForm = /^("?)([\da-f]{32})(?:-([1-9]\d{0,4}))?\1$/u;
const maxClasses = 255;

interface Columns {
  readonly keys: PackedKeys;
  readonly flags: Uint8Array;
  readonly sizes: Float64Array;
  readonly times: Float64Array;
  /** The index in `classNames` plus 1; 0: none. */
  readonly classes: Uint8Array;
  readonly classNames: readonly string[];
  /** Empty if no row has an ETag of the usual form. */
  readonly etags: Uint8Array;
  /** The numbers of parts of multipart uploads; empty if no row has any. */
  readonly parts: Uint16Array;
  readonly otherEtags: ReadonlyMap<number, string>;
}

/** The block read last: rows are mostly read in sequence. */
let last: { readonly of: PackedKeys; readonly block: number; readonly keys: readonly string[] } | null = null;

/**
 * The rows of a page in columns of bytes: some 50 bytes per row instead of several hundred for an object with strings. Rows that
 * do not fit into columns (files of this computer, keys that are not Unicode) stay objects.
 */
export class PackedRows implements Iterable<FolderRow> {
  readonly length: number;
  /** Each key is greater than the one before, so no row can occur twice. */
  readonly isAscending: boolean;
  readonly firstKey: string | null;
  readonly lastKey: string | null;
  readonly #columns: Columns | null;
  readonly #rows: readonly FolderRow[];

  private constructor(rows: readonly FolderRow[]) {
    this.length = rows.length;
    this.isAscending = rows.every((row, at) => at === 0 || compareKeys(rows[at - 1]?.key ?? '', row.key) < 0);
    this.firstKey = rows[0]?.key ?? null;
    this.lastKey = rows.at(-1)?.key ?? null;
    this.#columns = pack(rows);
    this.#rows = this.#columns === null ? rows : [];
  }

  static of(rows: readonly FolderRow[]): PackedRows {
    return new PackedRows(rows);
  }

  /** False for rows that do not fit into columns. */
  get isPacked(): boolean {
    return this.#columns !== null;
  }

  row(at: number): FolderRow | undefined {
    const columns = this.#columns;
    if (columns === null || at < 0 || at >= this.length) return this.#rows[at];
    return {
      kind: this.isFolder(at) ? 'folder' : 'object',
      key: keyAt(columns.keys, at),
      sizeBytes: columns.sizes[at] ?? 0,
      modifiedMs: columns.times[at] ?? Number.NaN,
      storageClass: columns.classNames[(columns.classes[at] ?? 0) - 1] ?? null,
      etag: etagAt(columns, at),
    };
  }

  key(at: number): string | undefined {
    const columns = this.#columns;
    return columns === null || at < 0 || at >= this.length ? this.#rows[at]?.key : keyAt(columns.keys, at);
  }

  isFolder(at: number): boolean {
    if (this.#columns === null) return this.#rows[at]?.kind === 'folder';
    return has(this.#columns.flags[at], flag.folder);
  }

  sizeBytes(at: number): number {
    return (this.#columns === null ? this.#rows[at]?.sizeBytes : this.#columns.sizes[at]) ?? 0;
  }

  modifiedMs(at: number): number {
    return (this.#columns === null ? this.#rows[at]?.modifiedMs : this.#columns.times[at]) ?? Number.NaN;
  }

  /** Returns the keys of these rows: packed, if they are all rows of this page. Packed keys cross to a worker as bytes. */
  keys(from: number, to: number): PackedKeys | readonly string[] {
    if (this.#columns !== null && from === 0 && to === this.length) return this.#columns.keys;
    return Array.from({ length: to - from }, (_, at) => this.key(from + at) ?? '');
  }

  *[Symbol.iterator](): Iterator<FolderRow> {
    for (let at = 0; at < this.length; at += 1) {
      const row = this.row(at);
      if (row !== undefined) yield row;
    }
  }
}

function has(flags: number | undefined, one: number): boolean {
  // oxlint-disable-next-line no-bitwise -- flags
  return ((flags ?? 0) & one) !== 0;
}

function keyAt(keys: PackedKeys, at: number): string {
  const block = Math.floor(at / keysPerBlock);
  if (last === null || last.of !== keys || last.block !== block)
    last = { of: keys, block, keys: unpackBlock(keys, block) };
  return last.keys[at % keysPerBlock] ?? '';
}

function etagAt({ flags, etags, parts, otherEtags }: Columns, at: number): string | null {
  if (has(flags[at], flag.otherEtag)) return otherEtags.get(at) ?? null;
  if (!has(flags[at], flag.etagAsBytes)) return null;
  let hex = '';
  for (let byte = at * etagBytes; byte < (at + 1) * etagBytes; byte += 1)
    hex += (etags[byte] ?? 0).toString(16).padStart(2, '0');
  const count = parts[at] ?? 0;
  const text = count === 0 ? hex : `${hex}-${String(count)}`;
  return has(flags[at], flag.etagQuoted) ? `"${text}"` : text;
}

/** Returns the value of a lowercase hexadecimal digit. */
function digitOf(hex: string, at: number): number {
  const code = hex.charCodeAt(at);
  return code < 0x3a ? code - 0x30 : code - 0x57;
}

/** null: a row does not fit. */
function pack(rows: readonly FolderRow[]): Columns | null {
  if (rows.some((row) => row.handle !== undefined || !row.key.isWellFormed())) return null;
  const flags = new Uint8Array(rows.length);
  const classes = new Uint8Array(rows.length);
  const classNames: string[] = [];
  const etags = new Uint8Array(rows.length * etagBytes);
  const parts = new Uint16Array(rows.length);
  const otherEtags = new Map<number, string>();
  let someEtags = false;
  let someParts = false;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at];
    if (row === undefined) continue;
    const { kind, storageClass, etag } = row;
    let flagsOfRow: number = kind === 'folder' ? flag.folder : 0;
    if (storageClass !== null) {
      if (!classNames.includes(storageClass)) classNames.push(storageClass);
      classes[at] = classNames.indexOf(storageClass) + 1;
    }
    const form = etag === null ? null : etagForm.exec(etag);
    const count = Number(form?.[3] ?? '0');
    if (form !== null && count <= 0xffff) {
      const hex = form[2] ?? '';
      for (let byte = 0; byte < etagBytes; byte += 1)
        etags[at * etagBytes + byte] = 16 * digitOf(hex, 2 * byte) + digitOf(hex, 2 * byte + 1);
      parts[at] = count;
      someEtags = true;
      someParts ||= count > 0;
      flagsOfRow += flag.etagAsBytes + (form[1] === '' ? 0 : flag.etagQuoted);
    } else if (etag !== null) {
      otherEtags.set(at, etag);
      flagsOfRow += flag.otherEtag;
    }
    flags[at] = flagsOfRow;
  }
  if (classNames.length > maxClasses) return null;
  return {
    keys: packKeys(rows.map(({ key }) => key)),
    flags,
    sizes: Float64Array.from(rows, ({ sizeBytes }) => sizeBytes),
    times: Float64Array.from(rows, ({ modifiedMs }) => modifiedMs),
    classes,
    classNames,
    etags: someEtags ? etags : new Uint8Array(),
    parts: someParts ? parts : new Uint16Array(),
    otherEtags,
  };
}
