import { compareKeys } from '../../../../shared/keys/paths.ts';
import { readRowText, rowsIn, type TextRow } from '../../../../shared/keys/row-text.ts';
import type { FolderRow } from './folder-row.ts';
import { detachedText } from '../../../../shared/detached-text.ts';
import { keysPerBlock, packKeys, unpackBlock, type PackedKeys } from './packed-keys.ts';

/** Bits of a row's flags. */
const flag = { folder: 1, etagAsBytes: 2, etagQuoted: 4, otherEtag: 8 } as const;
const etagBytes = 16;
/** An ETag as S3 writes it: an MD5, followed by the number of parts for a multipart upload. */
const etagForm = /^("?)([\da-f]{32})(?:-([1-9]\d{0,4}))?\1$/u;
const maxClasses = 255;

interface Columns {
  readonly keys: PackedKeys;
  readonly flags: Uint8Array;
  readonly sizes: Float64Array;
  readonly times: Float64Array;
  /** The index in `classNames` plus 1, or 0 without a storage class. */
  readonly classes: Uint8Array;
  readonly classNames: readonly string[];
  /** The ETags with 16 bytes per row. Empty if no row has an ETag of the usual form. */
  readonly etags: Uint8Array;
  /** The numbers of parts in multipart uploads. Empty if no row has an ETag with a number of parts. */
  readonly parts: Uint16Array;
  readonly otherEtags: ReadonlyMap<number, string>;
}

/** Caches the block read last, since rows are mostly read in sequence. */
let last: { readonly of: PackedKeys; readonly block: number; readonly keys: readonly string[] } | null = null;

/**
 * The rows of a page in columns of bytes. A row takes about 50 bytes, not several hundred as an object with strings. Rows that do
 * not fit into columns stay objects: local files, and keys that are not Unicode.
 */
export class PackedRows implements Iterable<FolderRow> {
  readonly length: number;
  /** True if each key is greater than its predecessor, so that no row occurs twice. */
  readonly isAscending: boolean;
  readonly firstKey: string | null;
  readonly lastKey: string | null;
  readonly #columns: Columns | null;
  readonly #rows: readonly FolderRow[];

  private constructor(keys: readonly string[], columns: Columns | null, rows: readonly FolderRow[]) {
    this.length = keys.length;
    this.isAscending = keys.every((key, at) => at === 0 || compareKeys(keys[at - 1] ?? '', key) < 0);
    this.firstKey = detachedTextOrNull(keys[0] ?? null);
    this.lastKey = detachedTextOrNull(keys.at(-1) ?? null);
    this.#columns = columns;
    this.#rows = columns === null ? rows : [];
  }

  static of(rows: readonly FolderRow[]): PackedRows {
    const keys = rows.map(({ key }) => key);
    if (rows.some((row) => row.handle !== undefined || !row.key.isWellFormed()))
      return new PackedRows(keys, null, rows);
    const writer = new ColumnsWriter(rows.length);
    for (const row of rows) writer.add(row.kind === 'folder', row);
    return new PackedRows(keys, writer.finish(), rows);
  }

  /** Parses the rows of a piece of a folder (`folderRestSchema`) into columns, without creating an object per row. */
  static ofText(text: string): PackedRows {
    const writer = new ColumnsWriter(rowsIn(text));
    readRowText(text, (row) => {
      writer.add(row.sizeBytes === null, row);
    });
    const columns = writer.finish();
    if (columns !== null) return new PackedRows(writer.keys, columns, []);
    const rows: FolderRow[] = [];
    readRowText(text, (row) =>
      rows.push({
        ...row,
        kind: row.sizeBytes === null ? 'folder' : 'object',
        sizeBytes: row.sizeBytes ?? 0,
      }),
    );
    return PackedRows.of(rows);
  }

  /** False if the rows do not fit into columns and are kept as objects. */
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

  /** Returns the keys of these rows. The keys of a whole page stay packed, so that a worker can receive them as bytes. */
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

function detachedTextOrNull(text: string | null): string | null {
  return text === null ? null : detachedText(text);
}

function has(flags: number | undefined, bit: number): boolean {
  // oxlint-disable-next-line no-bitwise -- tests one flag
  return ((flags ?? 0) & bit) !== 0;
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

/** Returns the value of a lowercase hexadecimal digit, or -1 for any other character. */
function digitOf(hex: string, at: number): number {
  const code = hex.charCodeAt(at);
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
}

/** Collects rows into columns. */
class ColumnsWriter {
  readonly keys: string[] = [];
  readonly #flags: Uint8Array;
  readonly #sizes: Float64Array;
  readonly #times: Float64Array;
  readonly #classes: Uint8Array;
  readonly #classNames: string[] = [];
  readonly #etags: Uint8Array;
  readonly #parts: Uint16Array;
  readonly #otherEtags = new Map<number, string>();
  #someEtags = false;
  #someParts = false;

  constructor(count: number) {
    this.#flags = new Uint8Array(count);
    this.#sizes = new Float64Array(count);
    this.#times = new Float64Array(count);
    this.#classes = new Uint8Array(count);
    this.#etags = new Uint8Array(count * etagBytes);
    this.#parts = new Uint16Array(count);
  }

  add(isFolder: boolean, { key, sizeBytes, modifiedMs, storageClass, etag }: TextRow): void {
    const at = this.keys.length;
    this.keys.push(key);
    this.#sizes[at] = sizeBytes ?? 0;
    this.#times[at] = modifiedMs;
    if (storageClass !== null) this.#classes[at] = this.#classNumber(storageClass);
    this.#flags[at] = (isFolder ? flag.folder : 0) + this.#addEtag(at, etag);
  }

  /** Returns the columns, or null if the rows do not fit into columns. */
  finish(): Columns | null {
    if (this.#classNames.length > maxClasses || this.keys.some((key) => !key.isWellFormed())) return null;
    return {
      keys: packKeys(this.keys),
      flags: this.#flags,
      sizes: this.#sizes,
      times: this.#times,
      classes: this.#classes,
      classNames: this.#classNames,
      etags: this.#someEtags ? this.#etags : new Uint8Array(),
      parts: this.#someParts ? this.#parts : new Uint16Array(),
      otherEtags: this.#otherEtags,
    };
  }

  #classNumber(name: string): number {
    const known = this.#classNames.indexOf(name);
    return known === -1 ? this.#classNames.push(detachedText(name)) : known + 1;
  }

  /** Stores the ETag of a row and returns its flags. */
  #addEtag(at: number, etag: string | null): number {
    if (etag === null) return 0;
    if (this.#addDigits(at, etag)) return flag.etagAsBytes + flag.etagQuoted;
    const form = etagForm.exec(etag);
    const count = Number(form?.[3] ?? '0');
    if (form === null || count > 0xffff) {
      this.#otherEtags.set(at, detachedText(etag));
      return flag.otherEtag;
    }
    this.#addDigits(at, `"${form[2] ?? ''}"`);
    this.#parts[at] = count;
    this.#someParts ||= count > 0;
    return flag.etagAsBytes + (form[1] === '' ? 0 : flag.etagQuoted);
  }

  /**
   * Stores an ETag that is an MD5 in quotes, and returns false for any other ETag. Most ETags have this form, and the regular
   * expression is slower.
   */
  #addDigits(at: number, etag: string): boolean {
    if (etag.length !== 2 * etagBytes + 2 || !etag.startsWith('"') || !etag.endsWith('"')) return false;
    for (let byte = 0; byte < etagBytes; byte += 1) {
      const high = digitOf(etag, 2 * byte + 1);
      const low = digitOf(etag, 2 * byte + 2);
      if (high === -1 || low === -1) return false;
      this.#etags[at * etagBytes + byte] = 16 * high + low;
    }
    this.#someEtags = true;
    return true;
  }
}
