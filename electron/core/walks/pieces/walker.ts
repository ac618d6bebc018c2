import { toAppError } from '../../../../shared/errors.ts';
import { KeySpace } from './key-space.ts';
import { slots, type AtOnce, type Slots } from '../../flow/slots.ts';
import type { PageSum } from '../pages/page-messages.ts';
import { WalkPieces, type OpenSeam } from './walk-pieces.ts';

/** The requests of a walk to the service. */
export interface WalkLister {
  /**
   * Lists one page after `after`. It is parsed with the current bound and passed to `take`. If `take` returns false because the
   * bound moved meanwhile, the page is parsed again.
   */
  list(
    after: string | null,
    bound: () => string | null,
    take: (page: PageSum) => boolean,
    signal: AbortSignal,
  ): Promise<void>;
  /** Lists all pages sequentially, in the service's order. */
  listFromEndToEnd(signal: AbortSignal): AsyncIterable<PageSum>;
  /** Returns folders below a prefix, at most one page; used only for guessing. */
  folders(prefix: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** The range of keys that a page covers. A null `after` means from the first key, a null `upTo` to the last; `upTo` is included. */
export interface PageSpan {
  readonly after: string | null;
  readonly upTo: string | null;
}

export interface WalkOptions {
  readonly prefix: string;
  /** With a delimiter, common prefixes are entries like keys, and keys below them are not listed. */
  readonly delimiter?: '/';
  /** Lists only entries after this key or common prefix. */
  readonly after?: string | null;
  readonly lister: WalkLister;
  /** Number of pieces listed in parallel. */
  readonly readers: AtOnce;
  readonly signal: AbortSignal;
  /** Called once for each page. */
  readonly onPage: (page: PageSum, span: PageSpan) => void;
  /** Called when all pages so far are discarded. */
  readonly onRestart: () => void;
  /** Called with the number of pieces being listed. */
  readonly onPieces: (pieces: number) => void;
  /** Resolves once the consumer of the pages has capacity. */
  readonly room: () => Promise<void>;
}

/** Thrown if the service lists keys in another order, so the walk cannot be split. */
class OutOfOrder extends Error {}

/** Number of splits to try before one of them has found keys. */
const firstCredit = 16;
/** After this many pages of a piece within one folder, its subfolders are requested. */
const pagesBeforeLook = 3;
const seamTries = 4;

/**
 * Lists everything below a prefix in parallel. Resolves once all is listed; rejects with the lister's failure or the signal's
 * reason.
 */
export async function walkKeys(options: WalkOptions): Promise<void> {
  try {
    await new ParallelWalk(options).run();
  } catch (thrown) {
    if (!(thrown instanceof OutOfOrder)) throw thrown;
    options.signal.throwIfAborted();
    options.onRestart();
    options.onPieces(1);
    for await (const page of options.lister.listFromEndToEnd(options.signal)) {
      options.signal.throwIfAborted();
      options.onPage(page, { after: null, upTo: null });
      await options.room();
    }
  }
  options.onPieces(0);
}

class ParallelWalk {
  readonly #options: WalkOptions;
  readonly #pieces: WalkPieces;
  readonly #space: KeySpace;
  readonly #inSlot: Slots;
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;
  readonly #finished = Promise.withResolvers<void>();
  readonly #looked = new Set<string>();
  /** The first keys of each piece's latest pages. */
  readonly #trails = new Map<number, string[]>();
  #active = 0;
  #credit = firstCredit;
  #hasLooked = false;
  #looks = 0;
  #pages = 0;

  constructor(options: WalkOptions) {
    this.#options = options;
    this.#pieces = new WalkPieces(options.after ?? null);
    this.#space = new KeySpace(options.prefix, options.delimiter ?? null);
    this.#inSlot = slots(options.readers);
    this.#signal = AbortSignal.any([options.signal, this.#ending.signal]);
  }

  async run(): Promise<void> {
    this.#options.signal.throwIfAborted();
    const onAbort = (): void => this.#finished.reject(this.#options.signal.reason);
    this.#options.signal.addEventListener('abort', onAbort, { once: true });
    try {
      for (const piece of this.#pieces.all()) this.#start(piece.id);
      await this.#finished.promise;
    } finally {
      this.#options.signal.removeEventListener('abort', onAbort);
      this.#ending.abort();
    }
  }

  #start(id: number): void {
    this.#active += 1;
    this.#options.onPieces(this.#active);
    void this.#read(id).then(
      () => {
        this.#active -= 1;
        this.#options.onPieces(this.#active);
        this.#trails.delete(id);
        this.#divide();
        if (this.#active === 0) this.#finished.resolve();
        return null;
      },
      (thrown: unknown) => this.#finished.reject(thrown),
    );
  }

  /** Lists one piece completely. */
  async #read(id: number): Promise<void> {
    for (;;) {
      const piece = this.#pieces.get(id);
      if (piece === null) return;
      let ended = false;
      await this.#list(
        piece.after,
        () => this.#pieces.get(id)?.through ?? null,
        (page) => {
          this.#signal.throwIfAborted();
          // A truncated page without keys gives no position to continue from.
          if (!page.isOrdered || (page.isTruncated && page.firstKey === null)) throw new OutOfOrder();
          if (!this.#pieces.fits(id, page)) return false;
          const { after, pages, through } = this.#pieces.get(id) ?? piece;
          if (pages === 0 && page.keys > 0) this.#credit += 1;
          ended = this.#pieces.deliver(id, page);
          this.#options.onPage(page, { after, upTo: ended ? through : (page.lastKey ?? after) });
          this.#learn(id, page, ended);
          return true;
        },
      );
      for (const seam of this.#pieces.takeOpenSeams()) await this.#check(seam);
      if (ended) return;
      this.#divide();
      await this.#options.room();
      this.#signal.throwIfAborted();
    }
  }

  async #list(
    after: string | null,
    bound: () => string | null,
    take: (page: PageSum) => boolean,
  ): Promise<void> {
    try {
      const { lister } = this.#options;
      await this.#inSlot(this.#signal, () => lister.list(after, bound, take, this.#signal));
    } catch (thrown) {
      // Directory buckets do not support `start-after`: they list by tokens only, unordered.
      if (after !== null && toAppError(thrown).code === 'unsupported') throw new OutOfOrder();
      throw thrown;
    }
  }

  #learn(id: number, page: PageSum, ended: boolean): void {
    this.#pages += 1;
    if (page.firstKey !== null) this.#space.learn(page.firstKey);
    if (page.lastKey !== null) this.#space.learn(page.lastKey);
    if (ended) return;
    this.#credit += 1;
    if (!this.#hasLooked) {
      this.#hasLooked = true;
      this.#look(this.#options.prefix);
    } else if (page.firstKey !== null && page.lastKey !== null)
      this.#considerLook(id, page.firstKey, page.lastKey);
  }

  /** Splits pieces until all readers are busy. Each new reader takes the upper part of a piece. */
  #divide(): void {
    if (this.#looked.size === 0 || this.#signal.aborted) return;
    while (this.#active < this.#options.readers.limit && this.#credit > 0) {
      const upper = this.#pieces.cut(this.#space);
      if (upper === null) return;
      this.#credit -= 1;
      this.#start(upper.id);
    }
  }

  /** Requests the subfolders of a folder in which a piece stays for several pages. */
  #considerLook(id: number, firstKey: string, lastKey: string): void {
    const trail = this.#trails.get(id) ?? [];
    this.#trails.set(id, trail);
    trail.push(firstKey);
    if (trail.length < pagesBeforeLook || this.#looks * 20 > this.#pages) return;
    const oldest = trail.shift() ?? firstKey;
    const folder = sharedFolder(oldest, lastKey);
    for (let end = this.#options.prefix.length; end < folder.length;) {
      end = folder.indexOf('/', end) + 1;
      const candidate = folder.slice(0, end);
      if (this.#looked.has(candidate)) continue;
      this.#look(candidate);
      return;
    }
  }

  #look(prefix: string): void {
    this.#looks += 1;
    const isFirst = this.#looked.size === 0 && prefix === this.#options.prefix;
    if (!isFirst) this.#looked.add(prefix);
    void this.#options.lister
      .folders(prefix, this.#signal)
      .then((folders) => this.#space.addPoints(folders))
      // Optional, for splitting only: if the service fails, the listing itself reports it.
      .catch(() => undefined)
      .then(() => {
        this.#looked.add(prefix);
        this.#divide();
        return null;
      });
  }

  /**
   * Checks the boundary of two pieces: the left one ended at another key than the right one started with. Either keys were added
   * or removed there between the two requests, or the service does not list in UTF-8 order. Throws OutOfOrder if the two keys
   * still differ after several tries.
   */
  async #check(seam: OpenSeam): Promise<void> {
    for (let tries = 0; tries < seamTries; tries += 1) {
      const left = await this.#firstBehind(seam.leftAfter, seam.at);
      const right = await this.#firstBehind(seam.at, seam.at);
      if (left.isOpen || left.key === right.key) return;
    }
    throw new OutOfOrder();
  }

  /** Returns the first key beyond `at` when listing from `after`. `isOpen`: the page ended before such a key. */
  async #firstBehind(after: string | null, at: string): Promise<{ key: string | null; isOpen: boolean }> {
    let found: { key: string | null; isOpen: boolean } = { key: null, isOpen: true };
    await this.#list(
      after,
      () => at,
      (page) => {
        if (!page.isOrdered) throw new OutOfOrder();
        found = { key: page.beyondKey, isOpen: page.beyondKey === null && page.isTruncated };
        return true;
      },
    );
    return found;
  }
}

/** Returns the folder that contains both keys, with its `/`. */
function sharedFolder(left: string, right: string): string {
  let at = 0;
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  return left.slice(0, left.lastIndexOf('/', at - 1) + 1);
}
