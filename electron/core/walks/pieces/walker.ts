import { toAppError } from '../../../../shared/errors.ts';
import { KeySpace } from './key-space.ts';
import { slots, type AtOnce, type Slots } from '../../flow/slots.ts';
import type { PageSum } from '../pages/page-messages.ts';
import { WalkPieces, type OpenSeam } from './walk-pieces.ts';

/** How a walk speaks to the service. */
export interface WalkLister {
  /**
   * One page behind `after`. It is read with the bound of that moment and handed to `take`, which may refuse it because the bound
   * has moved meanwhile: then the same page is read again.
   */
  list(
    after: string | null,
    bound: () => string | null,
    take: (page: PageSum) => boolean,
    signal: AbortSignal,
  ): Promise<void>;
  /** All pages one after the other, in the service's own order. */
  listFromEndToEnd(signal: AbortSignal): AsyncIterable<PageSum>;
  /** Folders below a prefix, as many as one page names; only to guess by. */
  folders(prefix: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** The part of the key space that a page came to speak for: (after, upTo], null: to the end. */
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
  /** Pieces listed at the same time. */
  readonly readers: AtOnce;
  readonly signal: AbortSignal;
  /** Each page once. */
  readonly onPage: (page: PageSum, span: PageSpan) => void;
  /** All pages so far are void. */
  readonly onRestart: () => void;
  /** How many pieces are being listed now. */
  readonly onPieces: (pieces: number) => void;
  /** Waits while what takes the pages is behind. */
  readonly room: () => Promise<void>;
}

/** Thrown if the service lists keys in another order, so the walk cannot be split. */
class OutOfOrder extends Error {}

/** Cuts that may be tried before the first of them has found anything. */
const firstCredit = 16;
/** Pages of a piece inside one folder after which that folder is asked for its own folders. */
const pagesBeforeLook = 3;
const seamTries = 4;

/**
 * Lists everything below a prefix, in parallel (DESIGN: Folders). Resolves when all was listed; rejects with the lister's
 * failure, or the signal's reason.
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
  /** The first keys of the last pages of each piece. */
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

  /** Lists one piece to its end. */
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
      // Directory buckets know no `start-after`: they list by tokens alone, and in no order.
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

  /** Readers without work take the upper part of a piece. */
  #divide(): void {
    if (this.#looked.size === 0 || this.#signal.aborted) return;
    while (this.#active < this.#options.readers.limit && this.#credit > 0) {
      const upper = this.#pieces.cut(this.#space);
      if (upper === null) return;
      this.#credit -= 1;
      this.#start(upper.id);
    }
  }

  /** A piece that stays in one folder for long: the folders in there are worth a request. */
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
      // It would only have helped to divide: whether the service fails, the listing itself will tell.
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

  /** The first key beyond `at` that is met on the way from `after`. `isOpen`: the page ended before. */
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

/** The folder that both keys are in, with its `/`. */
function sharedFolder(left: string, right: string): string {
  let at = 0;
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  return left.slice(0, left.lastIndexOf('/', at - 1) + 1);
}
