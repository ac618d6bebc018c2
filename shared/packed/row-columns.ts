import { compareKeys } from '../keys/paths.ts';
import { packKeys, type PackedKeys } from './packed-keys.ts';

/** An entry of a folder's listing. */
export interface ListedRow {
  readonly key: string;
  /** Null for a common prefix. */
  readonly sizeBytes: number | null;
  /** NaN if unknown. */
  readonly modifiedMs: number;
  readonly etag: string | null;
  readonly storageClass: string | null;
}

/** The rows of a page in columns of bytes. A row takes about 50 bytes, not several hundred as an object with strings. */
export interface RowColumns {
  readonly keys: PackedKeys;
  /** True if each key is greater than its predecessor, so that no row occurs twice. */
  readonly isAscending: boolean;
  readonly flags: Uint8Array;
  readonly sizes: Float64Array;
  readonly times: Float64Array;
  /** The index in `classNames` plus 1; 0 without a storage class, or with one of `otherClasses`. */
  readonly classes: Uint8Array;
  readonly classNames: readonly string[];
  /** The storage classes by row that found no place among the `classNames`. */
  readonly otherClasses: ReadonlyMap<number, string>;
  /** The ETags with 16 bytes per row. Empty if no row has an ETag of the usual form. */
  readonly etags: Uint8Array;
  /** The numbers of parts in multipart uploads. Empty if no row has an ETag with a number of parts. */
  readonly parts: Uint16Array;
  readonly otherEtags: ReadonlyMap<number, string>;
}

/** Bits of a row's flags. */
const flag = { folder: 1, etagAsBytes: 2, etagQuoted: 4, otherEtag: 8 } as const;
export const etagBytes = 16;
/** An ETag as S3 writes it: an MD5, followed by the number of parts for a multipart upload. */
const etagForm = /^("?)([\da-f]{32})(?:-([1-9]\d{0,4}))?\1$/u;
const maxParts = 0xffff;
const maxClasses = 0xff;

export function isFolderAt({ flags }: RowColumns, at: number): boolean {
  return has(flags[at], flag.folder);
}

export function storageClassAt(columns: RowColumns, at: number): string | null {
  return columns.classNames[(columns.classes[at] ?? 0) - 1] ?? columns.otherClasses.get(at) ?? null;
}

export function etagAt({ flags, etags, parts, otherEtags }: RowColumns, at: number): string | null {
  if (has(flags[at], flag.otherEtag)) return otherEtags.get(at) ?? null;
  if (!has(flags[at], flag.etagAsBytes)) return null;
  let hex = '';
  for (let byte = at * etagBytes; byte < (at + 1) * etagBytes; byte += 1)
    hex += (etags[byte] ?? 0).toString(16).padStart(2, '0');
  const count = parts[at] ?? 0;
  const text = count === 0 ? hex : `${hex}-${String(count)}`;
  return has(flags[at], flag.etagQuoted) ? `"${text}"` : text;
}

function has(flags: number | undefined, bit: number): boolean {
  // oxlint-disable-next-line no-bitwise -- tests one flag
  return ((flags ?? 0) & bit) !== 0;
}

/** Returns the value of a lowercase hexadecimal digit, or -1 for any other character. */
function digitOf(hex: string, at: number): number {
  const code = hex.charCodeAt(at);
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
}

/** Collects rows into columns. */
export class ColumnsWriter {
  readonly #keys: string[] = [];
  readonly #flags: number[] = [];
  readonly #sizes: number[] = [];
  readonly #times: number[] = [];
  readonly #classes: number[] = [];
  readonly #classNames: string[] = [];
  readonly #otherClasses = new Map<number, string>();
  readonly #parts: number[] = [];
  readonly #otherEtags = new Map<number, string>();
  #etags = new Uint8Array(1024 * etagBytes);
  #hasEtags = false;

  get count(): number {
    return this.#keys.length;
  }

  add(isFolder: boolean, { key, sizeBytes, modifiedMs, storageClass, etag }: ListedRow): void {
    const at = this.#keys.length;
    this.#keys.push(key);
    this.#sizes.push(sizeBytes ?? 0);
    this.#times.push(modifiedMs);
    this.#classes.push(storageClass === null ? 0 : this.#classNumber(at, storageClass));
    this.#flags.push((isFolder ? flag.folder : 0) + this.#addEtag(at, etag));
  }

  finish(): RowColumns {
    const keys = this.#keys;
    return {
      keys: packKeys(keys),
      isAscending: keys.every((key, at) => at === 0 || compareKeys(keys[at - 1] ?? '', key) < 0),
      flags: Uint8Array.from(this.#flags),
      sizes: Float64Array.from(this.#sizes),
      times: Float64Array.from(this.#times),
      classes: Uint8Array.from(this.#classes),
      classNames: this.#classNames,
      otherClasses: this.#otherClasses,
      etags: this.#hasEtags ? this.#etags.slice(0, keys.length * etagBytes) : new Uint8Array(),
      parts:
        this.#parts.length > 0 ? Uint16Array.from(keys, (_, at) => this.#parts[at] ?? 0) : new Uint16Array(),
      otherEtags: this.#otherEtags,
    };
  }

  #classNumber(at: number, name: string): number {
    const known = this.#classNames.indexOf(name);
    if (known !== -1) return known + 1;
    if (this.#classNames.length < maxClasses) return this.#classNames.push(name);
    this.#otherClasses.set(at, name);
    return 0;
  }

  /** Stores the ETag of a row and returns its flags. */
  #addEtag(at: number, etag: string | null): number {
    if (etag === null) return 0;
    if (this.#addDigits(at, etag)) return flag.etagAsBytes + flag.etagQuoted;
    const form = etagForm.exec(etag);
    const count = Number(form?.[3] ?? '0');
    if (form === null || count > maxParts) {
      this.#otherEtags.set(at, etag);
      return flag.otherEtag;
    }
    this.#addDigits(at, `"${form[2] ?? ''}"`);
    if (count > 0) this.#parts[at] = count;
    return flag.etagAsBytes + (form[1] === '' ? 0 : flag.etagQuoted);
  }

  /**
   * Stores an ETag that is an MD5 in quotes, and returns false for any other ETag. Most ETags have this form, and the regular
   * expression is slower.
   */
  #addDigits(at: number, etag: string): boolean {
    if (etag.length !== 2 * etagBytes + 2 || !etag.startsWith('"') || !etag.endsWith('"')) return false;
    if ((at + 1) * etagBytes > this.#etags.length) {
      const wider = new Uint8Array(2 * (at + 1) * etagBytes);
      wider.set(this.#etags);
      this.#etags = wider;
    }
    for (let byte = 0; byte < etagBytes; byte += 1) {
      const high = digitOf(etag, 2 * byte + 1);
      const low = digitOf(etag, 2 * byte + 2);
      if (high === -1 || low === -1) return false;
      this.#etags[at * etagBytes + byte] = 16 * high + low;
    }
    this.#hasEtags = true;
    return true;
  }
}
