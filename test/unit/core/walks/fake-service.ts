import { always } from '../../../../electron/core/flow/limits.ts';
import { tallyObjects } from '../../../../electron/core/walks/pages/page-tally.ts';
import type { PageSum } from '../../../../electron/core/walks/pages/page-messages.ts';
import { startBehind } from '../../../../electron/core/s3/listing/list-objects.ts';
import { tallyFolder } from '../../../../electron/core/walks/pages/folder-tally.ts';
import { walkKeys, type PageSpan, type WalkLister } from '../../../../electron/core/walks/pieces/walker.ts';
import { compareKeys } from '../../../../shared/keys/paths.ts';
import { columnsOfBytes } from '../../../../shared/packed/column-bytes.ts';
import { unpackKeys } from '../../../../shared/packed/packed-keys.ts';

/** Returns a generator of pseudorandom numbers that are the same in each run. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface FakeServiceOptions {
  readonly keys: readonly string[];
  readonly prefix: string;
  readonly pageSize: number;
  readonly seed: number;
  /** The order the service lists in. */
  readonly order?: (a: string, b: string) => number;
  /** Ignores start-after, so that each listing without a token begins at the first key. */
  readonly ignoresAfter?: boolean;
  /** Returns some truncated pages with fewer keys than requested. */
  readonly shortPages?: boolean;
  /** Lists one folder. Keys below its subfolders are folded into common prefixes. */
  readonly delimiter?: '/';
  /** A page that starts after a common prefix lists it again. */
  readonly repeatsPrefix?: boolean;
  /** Called before each page, to add and remove keys. */
  readonly beforePage?: (keys: Set<string>) => void;
}

/** A fake service with keys in memory, whose responses may arrive in another order than the requests. */
export class FakeService implements WalkLister {
  readonly keys: Set<string>;
  readonly #options: FakeServiceOptions;
  readonly #random: () => number;
  #sorted: readonly string[] | null = null;
  requests = 0;

  constructor(options: FakeServiceOptions) {
    this.#options = options;
    this.keys = new Set(options.keys);
    this.#random = chance(options.seed);
  }

  readonly list: WalkLister['list'] = async (after, bound, take, signal) => {
    this.requests += 1;
    await this.#wait();
    signal.throwIfAborted();
    this.#options.beforePage?.(this.keys);
    if (this.#options.delimiter !== undefined) return await this.#listFolder(after, bound, take, signal);
    const { objects, isTruncated } = this.#page(after);
    for (;;) {
      const through = bound();
      const options = { prefix: this.#options.prefix, matcher: () => true, after, through };
      const page = tallyObjects(objects, isTruncated, options);
      await this.#wait();
      if (take(page)) return;
    }
  };

  async #listFolder(...[after, bound, take]: Parameters<WalkLister['list']>): Promise<void> {
    const { prefix, pageSize, repeatsPrefix } = this.#options;
    const from = after === null ? '' : startBehind(after, prefix);
    const behind = this.#ordered().filter((key) => compareKeys(key, from) > 0);
    const entries = [...new Set(behind.map((key) => entryOf(key, prefix)))];
    if (repeatsPrefix === true && after?.endsWith('/') === true && after.length > prefix.length)
      entries.unshift(after);
    const page = entries.slice(0, pageSize);
    const commonPrefixes = page.filter((entry) => entry.endsWith('/') && entry.length > prefix.length);
    const objects = page.filter((entry) => !commonPrefixes.includes(entry)).map(objectOf);
    for (;;) {
      const options = { prefix, matcher: () => true, after, through: bound() };
      const isTruncated = entries.length > page.length;
      const sum = tallyFolder({ objects, commonPrefixes, isTruncated }, options);
      await this.#wait();
      if (take(sum)) return;
    }
  }

  readonly listFromEndToEnd: WalkLister['listFromEndToEnd'] = async function* (this: FakeService) {
    const all = this.#ordered();
    for (let at = 0; at === 0 || at < all.length; at += this.#options.pageSize) {
      this.requests += 1;
      await this.#wait();
      const objects = all.slice(at, at + this.#options.pageSize).map(objectOf);
      const { prefix } = this.#options;
      yield tallyObjects(objects, true, { prefix, matcher: () => true, after: null, through: null });
    }
  }.bind(this);

  readonly folders: WalkLister['folders'] = async (prefix) => {
    await this.#wait();
    const folders = this.#ordered()
      .filter((key) => key.startsWith(prefix) && key.includes('/', prefix.length))
      .map((key) => key.slice(0, key.indexOf('/', prefix.length) + 1));
    return [...new Set(folders)].slice(0, this.#options.pageSize);
  };

  #ordered(): readonly string[] {
    // Reuses the sorted keys unless they may change, because sorting takes most of the time of a long listing.
    if (this.#sorted !== null && this.#options.beforePage === undefined) return this.#sorted;
    this.#sorted = [...this.keys]
      .filter((key) => key.startsWith(this.#options.prefix))
      .toSorted(this.#options.order ?? compareKeys);
    return this.#sorted;
  }

  #page(after: string | null): { objects: readonly ReturnType<typeof objectOf>[]; isTruncated: boolean } {
    const order = this.#options.order ?? compareKeys;
    const isFromStart = after === null || this.#options.ignoresAfter === true;
    const all = this.#ordered().filter((key) => isFromStart || order(key, after) > 0);
    const pageSize = this.#options.pageSize;
    const size = this.#options.shortPages === true ? 1 + Math.floor(this.#random() * pageSize) : pageSize;
    return { objects: all.slice(0, size).map(objectOf), isTruncated: all.length > size };
  }

  async #wait(): Promise<void> {
    const turns = Math.floor(this.#random() * 6);
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  }
}

/** Returns the key's entry in a folder listing: the key, or its common prefix. */
export function entryOf(key: string, prefix: string): string {
  const end = key.indexOf('/', prefix.length);
  return end === -1 ? key : key.slice(0, end + 1);
}

function objectOf(key: string) {
  return { key, sizeBytes: key.length, lastModified: null, etag: null, storageClass: null };
}

export interface Walked {
  readonly keys: readonly string[];
  readonly restarts: number;
  readonly maxPieces: number;
  readonly spans: readonly { readonly span: PageSpan; readonly keys: readonly string[] }[];
}

/** Runs a walk (a listing) to its end. Returns the contents of its pages in order of arrival. */
export async function walkAll(
  service: WalkLister,
  options: {
    readonly prefix: string;
    readonly readers: number;
    readonly delimiter?: '/';
    readonly after?: string | null;
    readonly signal?: AbortSignal;
  },
): Promise<Walked> {
  const spans: { readonly span: PageSpan; readonly keys: readonly string[] }[] = [];
  let keys: string[] = [];
  let restarts = 0;
  let maxPieces = 0;
  await walkKeys({
    prefix: options.prefix,
    lister: service,
    readers: always(options.readers),
    signal: options.signal ?? new AbortController().signal,
    ...(options.delimiter === undefined ? {} : { delimiter: options.delimiter }),
    ...(options.after === undefined ? {} : { after: options.after }),
    onPage: (page, span) => {
      spans.push({ span, keys: keysOf(page) });
      keys.push(...keysOf(page));
    },
    onRestart: () => {
      restarts += 1;
      spans.length = 0;
      keys = [];
    },
    onPieces: (pieces) => {
      maxPieces = Math.max(maxPieces, pieces);
    },
    room: () => Promise.resolve(),
  });
  return { keys, restarts, maxPieces, spans };
}

export function keysOf(page: PageSum): readonly string[] {
  if (page.rows === null) return [];
  const text = new TextDecoder().decode(page.rows);
  if (text.startsWith('["')) {
    const values = JSON.parse(text) as readonly unknown[];
    return values.filter((_, index) => index % 5 === 0).map(String);
  }
  return unpackKeys(columnsOfBytes(page.rows.buffer).keys);
}
