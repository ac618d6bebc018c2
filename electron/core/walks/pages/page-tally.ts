import { compareKeys } from '../../../../shared/keys/paths.ts';
import { bytesOfColumns } from '../../../../shared/packed/column-bytes.ts';
import { ColumnsWriter } from '../../../../shared/packed/row-columns.ts';
import type { ListedObject } from '../../s3/model/listing-types.ts';
import { readListingPage, type ListingVisitor } from '../../s3/xml/listing-reader.ts';
import { parseTime } from '../../s3/xml/text.ts';
import { KeyPageWriter } from '../map/key-page.ts';
import { ordinaryClass, type Matcher } from './matcher.ts';
import type { ChildSum, PageSum } from './page-messages.ts';

/** Collects the matches of a page, to be sent from the thread as bytes. */
interface PageRows {
  readonly count: number;
  /** Adds a row. `modifiedAt` is in ISO 8601. A common prefix has only a key; its other values are null. */
  add(
    key: string,
    sizeBytes: number | null,
    modifiedAt: string | null,
    etag: string | null,
    storageClass: string | null,
  ): void;
  bytes(): Uint8Array<ArrayBuffer>;
}

/** Collects matches as a flat JSON array with five values each. */
class JsonRows implements PageRows {
  readonly #values: (string | number | null)[] = [];

  get count(): number {
    return this.#values.length / 5;
  }

  readonly add: PageRows['add'] = (key, sizeBytes, modifiedAt, etag, storageClass) => {
    this.#values.push(key, sizeBytes, modifiedAt, etag, storageClass);
  };

  bytes(): Uint8Array<ArrayBuffer> {
    return new TextEncoder().encode(JSON.stringify(this.#values));
  }
}

/** Collects matches in the columns that the window shows, so that its thread has nothing to parse. */
export class ColumnRows implements PageRows {
  readonly #writer = new ColumnsWriter();

  get count(): number {
    return this.#writer.count;
  }

  readonly add: PageRows['add'] = (key, sizeBytes, modifiedAt, etag, storageClass) => {
    const modifiedMs = modifiedAt === null ? Number.NaN : Date.parse(modifiedAt);
    this.#writer.add(sizeBytes === null, { key, sizeBytes, modifiedMs, etag, storageClass });
  };

  bytes(): Uint8Array<ArrayBuffer> {
    return bytesOfColumns(this.#writer.finish());
  }
}

export interface TallyOptions {
  readonly prefix: string;
  /** Tests which objects become rows; null to compute sums only. */
  readonly matcher: Matcher | null;
  readonly isForMap?: boolean;
  readonly after: string | null;
  readonly through: string | null;
}

interface Sum {
  keys: number;
  sizeBytes: number;
}

/** Sums up the keys of one page. */
export class PageTally implements ListingVisitor {
  readonly #options: TallyOptions;
  readonly #classes = new Map<string, Sum>();
  readonly #rows: PageRows;
  readonly #children: (Sum & { readonly prefix: string })[] = [];
  readonly #keyPage: KeyPageWriter | null;
  #isOrdered = true;
  #previous: string | null;
  #firstKey: string | null = null;
  #lastKey: string | null = null;
  #beyondKey: string | null = null;
  #keys = 0;
  #sizeBytes = 0;
  #matchedBytes = 0;
  #foreignCount = 0;
  #foreignExample: string | null = null;
  #className = '';
  #classSum: Sum = { keys: 0, sizeBytes: 0 };

  constructor(options: TallyOptions, rows: PageRows = new JsonRows()) {
    this.#options = options;
    this.#rows = rows;
    this.#previous = options.after;
    this.#keyPage = options.isForMap === true ? new KeyPageWriter() : null;
  }

  object(
    key: string,
    sizeBytes: number,
    lastModified: string | null,
    etag: string | null,
    storageClass: string | null,
    isAscii: boolean,
    owner: string | null,
  ): void {
    if (!this.#takes(key, isAscii)) return;
    const { matcher } = this.#options;
    this.#sizeBytes += sizeBytes;
    this.#countClass(storageClass ?? ordinaryClass, sizeBytes);
    if (this.#keyPage !== null) this.#keyPage.add(key, sizeBytes, lastModified, etag, storageClass, owner);
    else if (matcher === null) this.#countChild(key, sizeBytes);
    else if (matcher(key, sizeBytes, lastModified, storageClass)) {
      this.#matchedBytes += sizeBytes;
      this.#rows.add(key, sizeBytes, parseTime(lastModified), etag, storageClass);
    }
  }

  /** Adds a common prefix as a row without size, time, ETag or class. */
  folder(prefix: string, isAscii: boolean): void {
    if (this.#takes(prefix, isAscii)) this.#rows.add(prefix, null, null, null, null);
  }

  /** Checks the key's prefix and order. Returns true if it is inside the bounds of this page. */
  #takes(key: string, isAscii: boolean): boolean {
    const { prefix, through } = this.#options;
    // Keys outside the prefix must never become results, because the user may delete all results of a search.
    if (!key.startsWith(prefix)) {
      this.#foreignCount += 1;
      this.#foreignExample ??= key;
      return false;
    }
    if (this.#previous !== null && !isBehind(key, this.#previous, isAscii)) this.#isOrdered = false;
    this.#previous = key;
    this.#firstKey ??= key;
    if (this.#beyondKey !== null) return false;
    if (through !== null && (isAscii ? key > through : compareKeys(key, through) > 0)) {
      this.#beyondKey = key;
      return false;
    }
    this.#lastKey = key;
    this.#keys += 1;
    return true;
  }

  sum(isTruncated: boolean): PageSum {
    return {
      isTruncated,
      isOrdered: this.#isOrdered,
      firstKey: this.#firstKey,
      lastKey: this.#lastKey,
      beyondKey: this.#beyondKey,
      keys: this.#keys,
      sizeBytes: this.#sizeBytes,
      byStorageClass: [...this.#classes].map(
        ([name, { keys, sizeBytes }]) => [name, keys, sizeBytes] as const,
      ),
      matches: this.#rows.count,
      matchedBytes: this.#matchedBytes,
      foreign: { count: this.#foreignCount, example: this.#foreignExample },
      rows: this.#rows.count === 0 ? null : this.#rows.bytes(),
      children: this.#children.map(({ prefix, keys, sizeBytes }): ChildSum => [prefix, keys, sizeBytes]),
      keyPage: this.#keyPage?.finish() ?? null,
    };
  }

  #countClass(name: string, sizeBytes: number): void {
    if (name !== this.#className) {
      this.#className = name;
      this.#classSum = this.#classes.get(name) ?? { keys: 0, sizeBytes: 0 };
      this.#classes.set(name, this.#classSum);
    }
    this.#classSum.keys += 1;
    this.#classSum.sizeBytes += sizeBytes;
  }

  /** Adds the key to the sum of its subfolder. Keys are sorted, so all keys of a subfolder are adjacent. */
  #countChild(key: string, sizeBytes: number): void {
    const last = this.#children.at(-1);
    if (last !== undefined && key.startsWith(last.prefix)) {
      last.keys += 1;
      last.sizeBytes += sizeBytes;
      return;
    }
    const end = key.indexOf('/', this.#options.prefix.length);
    if (end !== -1) this.#children.push({ prefix: key.slice(0, end + 1), keys: 1, sizeBytes });
  }
}

/** Parses and sums up a listing without a delimiter. Returns null if the body is not a listing or needs the slow parser. */
export function tallyQuickly(bytes: Buffer, options: TallyOptions): PageSum | null {
  const tally = new PageTally(options);
  const wants = { details: options.matcher !== null || options.isForMap === true };
  const end = readListingPage(bytes, tally, wants);
  return end === null ? null : tally.sum(end.isTruncated);
}

export function tallyObjects(
  objects: readonly ListedObject[],
  isTruncated: boolean,
  options: TallyOptions,
): PageSum {
  const tally = new PageTally(options);
  for (const { key, sizeBytes, lastModified, etag, storageClass, owner } of objects)
    tally.object(key, sizeBytes, lastModified, etag, storageClass, false, owner ?? null);
  return tally.sum(isTruncated);
}

/**
 * Returns true if a key sorts after the previous one by UTF-8 bytes. JavaScript compares ASCII keys in that order too, and much
 * faster.
 */
function isBehind(key: string, previous: string, isAsciiKey: boolean): boolean {
  return isAsciiKey && key > previous ? true : compareKeys(key, previous) > 0;
}
