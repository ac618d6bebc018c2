import { toAppError } from '../../../../shared/errors.ts';
import { KeySpace } from './key-space.ts';
import { slots, type AtOnce, type Slots } from '../../flow/limits.ts';
import type { PageSum } from '../pages/page-messages.ts';
import { WalkPieces, type OpenSeam } from './walk-pieces.ts';

/** Sends the requests of a walk to the service. */
export interface WalkLister {
  /**
   * Requests the page after the key `after`, parses it up to the current bound, and passes it to `take`. If `take` returns false,
   * the bound changed meanwhile and the page is parsed again.
   */
  list(
    after: string | null,
    bound: () => string | null,
    take: (page: PageSum) => boolean,
    signal: AbortSignal,
  ): Promise<void>;
  /** Lists all pages sequentially, in the service's order. */
  listFromEndToEnd(signal: AbortSignal): AsyncIterable<PageSum>;
  /** Returns folders below a prefix from a single request, which may miss some. They are only hints for splitting. */
  folders(prefix: string, signal: AbortSignal): Promise<readonly string[]>;
}

/**
 * The range of keys that a page covers, including `upTo`. A null `after` means from the first key, a null `upTo` up to the last.
 */
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
  /** The number of ranges listed in parallel. */
  readonly readers: AtOnce;
  readonly signal: AbortSignal;
  /** Called once for each page. */
  readonly onPage: (page: PageSum, span: PageSpan) => void;
  /** Called when the listing restarts. The caller must discard all earlier pages. */
  readonly onRestart: () => void;
  /** Called with the current number of ranges being listed. */
  readonly onPieces: (pieces: number) => void;
  /** Resolves once the consumer can handle another page. */
  readonly room: () => Promise<void>;
}

/** Thrown if the service does not list keys in UTF-8 order, so that ranges cannot be listed in parallel. */
class OutOfOrder extends Error {}

/** The number of splits allowed at first. Each split that finds keys allows another one. */
const firstCredit = 16;
/** If a piece stays within one folder for this many pages, that folder's subfolders are requested. */
const pagesBeforeLook = 3;
const seamTries = 4;

/**
 * Lists all keys below a prefix in parallel. Resolves once all are listed; rejects with the lister's failure or the signal's
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
  /** The first key of each of a piece's latest pages, by the piece's id. */
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

  /** Lists one piece until its end. */
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
          // A truncated page without keys gives no key for requesting the next page.
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

  /** Splits pieces until all readers are busy. Each new piece gets a new reader. */
  #divide(): void {
    if (this.#looked.size === 0 || this.#signal.aborted) return;
    while (this.#active < this.#options.readers.limit && this.#credit > 0) {
      const upper = this.#pieces.cut(this.#space);
      if (upper === null) return;
      this.#credit -= 1;
      this.#start(upper.id);
    }
  }

  /** Requests the subfolders of a folder if a piece has stayed in that folder for several pages. */
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
      // The subfolders are only hints for splitting. If the service fails, the listing itself reports it.
      .catch(() => undefined)
      .then(() => {
        this.#looked.add(prefix);
        this.#divide();
        return null;
      });
  }

  /**
   * Checks a boundary where the left and right piece found different keys. Either keys were added or removed between the
   * requests, or the service does not list in UTF-8 order. Throws OutOfOrder if the keys still differ after several attempts.
   */
  async #check(seam: OpenSeam): Promise<void> {
    for (let tries = 0; tries < seamTries; tries += 1) {
      const left = await this.#firstBehind(seam.leftAfter, seam.at);
      const right = await this.#firstBehind(seam.at, seam.at);
      if (left.isOpen || left.key === right.key) return;
    }
    throw new OutOfOrder();
  }

  /** Lists after `after` and returns the first key beyond `at`. `isOpen` is true if the page ended before such a key. */
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
