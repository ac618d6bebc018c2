import { assertNever } from '../../../../shared/assert-never.ts';
import type { FoundThumbnail, ThumbnailObject } from '../../../../shared/models/thumbnails.ts';
import type { MakeThumbnail } from './thumbnail-maker.ts';
import { thumbnailHeadBytes, readsWhole, thumbnailPolicy, type ThumbnailRow } from './thumbnail-policy.ts';

export type ThumbnailState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'made'; readonly address: string }
  /** There will be none; the icon of the type says what it is. */
  | { readonly kind: 'none' }
  /** It could not be read. It is tried again when it comes into sight again. */
  | { readonly kind: 'failed' }
  /** Made only when the user requests it. */
  | { readonly kind: 'asks'; readonly why: 'paid' | 'archived' };

/** An object as a list tells it. */
export interface ThumbnailWish {
  readonly place: { readonly connectionId: string; readonly bucket: string };
  readonly row: ThumbnailRow;
}

export interface LoaderDeps {
  readonly find: (object: ThumbnailObject, signal: AbortSignal) => Promise<FoundThumbnail>;
  readonly keep: (object: ThumbnailObject, picture: Blob) => Promise<void>;
  /** Bytes of an object from a place on, at most so many. */
  readonly read: (
    path: string,
    offset: number,
    lengthBytes: number,
    signal: AbortSignal,
  ) => Promise<Uint8Array<ArrayBuffer>>;
  readonly make: MakeThumbnail;
  readonly addressOf: (picture: Blob) => string;
  readonly release: (address: string) => void;
  readonly pictureOf: (contentBase64: string) => Blob;
  /** Runs something after the time that a tile has to stay in sight. */
  readonly afterRest: (run: () => void) => void;
  readonly report: (thrown: unknown) => void;
}

/** Looks into the cache on disk at once, and objects read at once. */
export const mostLooks = 8;
export const mostReads = 4;
/** Thumbnails that stay in memory, each of some 15 kB. */
const mostKept = 1500;
/** Objects without one that are remembered. */
const mostNone = 20_000;

interface Wanted {
  readonly wish: ThumbnailWish;
  readonly listeners: Set<() => void>;
  readonly aborter: AbortController;
  state: ThumbnailState;
  /** How many tiles that are in sight show it. */
  sights: number;
  step: 'resting' | 'due' | 'looking' | 'unread' | 'reading' | 'done';
  path: string;
}

const waiting: ThumbnailState = { kind: 'waiting' };
const none: ThumbnailState = { kind: 'none' };
const failed: ThumbnailState = { kind: 'failed' };
const asks: Readonly<Record<'paid' | 'archived', ThumbnailState>> = {
  paid: { kind: 'asks', why: 'paid' },
  archived: { kind: 'asks', why: 'archived' },
};
type Made = Extract<ThumbnailState, { kind: 'made' }>;

/**
 * Thumbnails of what is in sight: from memory, from the cache on disk, or made of a few bytes of the object. What leaves the
 * sight is given up, wherever it is on its way; there are never more requests than `mostReads` at once.
 */
export class ThumbnailLoader {
  readonly #deps: LoaderDeps;
  #imageBytes: number;
  readonly #wanted = new Map<string, Wanted>();
  // In the order of their last use.
  readonly #kept = new Map<string, Made>();
  readonly #without = new Set<string>();
  /** Kept until the window closes: once paid for, a thumbnail is in the cache anyway. */
  readonly #asked = new Set<string>();
  #looks = 0;
  #reads = 0;

  constructor(deps: LoaderDeps, imageBytes: number) {
    this.#deps = deps;
    this.#imageBytes = imageBytes;
  }

  /** Applies a changed setting, and reconsiders the objects without a thumbnail. */
  setImageBytes(imageBytes: number): void {
    if (imageBytes === this.#imageBytes) return;
    this.#imageBytes = imageBytes;
    this.#without.clear();
    for (const wanted of this.#wanted.values()) if (wanted.state.kind === 'none') this.#begin(wanted);
  }

  stateOf(wish: ThumbnailWish): ThumbnailState {
    const id = idOf(wish);
    return this.#wanted.get(id)?.state ?? this.#first(wish, id);
  }

  /** Hears of changes of a thumbnail until the function that is returned is called. */
  subscribe(wish: ThumbnailWish, listener: () => void): () => void {
    const id = idOf(wish);
    this.#enter(wish, id).listeners.add(listener);
    return () => {
      const wanted = this.#wanted.get(id);
      wanted?.listeners.delete(listener);
      if (wanted === undefined || wanted.listeners.size > 0) return;
      wanted.aborter.abort();
      this.#wanted.delete(id);
      this.#pump();
    };
  }

  /** A tile of it is in sight until the function that is returned is called; only then is anything asked for. */
  see(wish: ThumbnailWish): () => void {
    const wanted = this.#enter(wish, idOf(wish));
    wanted.sights += 1;
    if (wanted.sights === 1 && (wanted.state.kind === 'waiting' || wanted.state.kind === 'failed'))
      this.#begin(wanted);
    return () => {
      wanted.sights -= 1;
      if (wanted.sights > 0 || wanted.step === 'done') return;
      // Its place in the row of those who wait is given up, and so is its request.
      this.#giveUp(wanted);
    };
  }

  /** Makes a thumbnail that is not made unasked, or tries once more. */
  ask(wish: ThumbnailWish): void {
    const id = idOf(wish);
    this.#asked.add(id);
    this.#without.delete(id);
    const wanted = this.#wanted.get(id);
    if (wanted === undefined) return;
    this.#begin(wanted);
  }

  #first(wish: ThumbnailWish, id: string): ThumbnailState {
    const made = this.#kept.get(id);
    if (made !== undefined) {
      this.#kept.delete(id);
      this.#kept.set(id, made);
      return made;
    }
    if (this.#without.has(id)) return none;
    const policy = thumbnailPolicy(wish.row, this.#imageBytes);
    switch (policy) {
      case 'none':
        return none;
      case 'asks-paid':
        return this.#asked.has(id) ? waiting : asks.paid;
      case 'asks-archived':
        return this.#asked.has(id) ? waiting : asks.archived;
      case 'makes':
        return waiting;
      default:
        return assertNever(policy);
    }
  }

  #enter(wish: ThumbnailWish, id: string): Wanted {
    const known = this.#wanted.get(id);
    if (known !== undefined) return known;
    const wanted: Wanted = {
      wish,
      listeners: new Set(),
      aborter: new AbortController(),
      state: this.#first(wish, id),
      sights: 0,
      step: 'done',
      path: '',
    };
    this.#wanted.set(id, wanted);
    return wanted;
  }

  #begin(wanted: Wanted): void {
    if (wanted.sights === 0 || wanted.step !== 'done') return;
    wanted.step = 'resting';
    this.#tell(wanted, waiting);
    this.#deps.afterRest(() => {
      if (wanted.step !== 'resting') return;
      wanted.step = 'due';
      this.#pump();
    });
  }

  #giveUp(wanted: Wanted): void {
    const id = idOf(wanted.wish);
    wanted.aborter.abort();
    if (this.#wanted.get(id) !== wanted) return;
    this.#wanted.delete(id);
    if (wanted.listeners.size > 0) {
      const next = this.#enter(wanted.wish, id);
      for (const listener of wanted.listeners) next.listeners.add(listener);
    }
    this.#pump();
  }

  /** Begins what there is room for: first in sight, first asked. */
  #pump(): void {
    for (const wanted of this.#wanted.values()) {
      if (this.#looks >= mostLooks && this.#reads >= mostReads) return;
      if (wanted.step === 'due' && this.#looks < mostLooks) void this.#look(wanted);
      else if (wanted.step === 'unread' && this.#reads < mostReads) void this.#read(wanted);
    }
  }

  async #look(wanted: Wanted): Promise<void> {
    this.#looks += 1;
    wanted.step = 'looking';
    const { signal } = wanted.aborter;
    try {
      const found = await this.#deps.find(objectOf(wanted.wish), signal);
      if (signal.aborted) return;
      if (found.kind === 'kept') this.#made(wanted, this.#deps.pictureOf(found.contentBase64));
      else {
        wanted.path = found.path;
        wanted.step = 'unread';
      }
    } catch {
      this.#failed(wanted);
    } finally {
      this.#looks -= 1;
      this.#pump();
    }
  }

  async #read(wanted: Wanted): Promise<void> {
    this.#reads += 1;
    wanted.step = 'reading';
    const { signal } = wanted.aborter;
    try {
      const picture = await this.#make(wanted, signal);
      if (signal.aborted) return;
      if (picture === null) this.#noneOf(wanted);
      else {
        this.#made(wanted, picture);
        // The next window reads the object again: that is all that is lost.
        this.#deps.keep(objectOf(wanted.wish), picture).catch(this.#deps.report);
      }
    } catch {
      this.#failed(wanted);
    } finally {
      this.#reads -= 1;
      this.#pump();
    }
  }

  /** From as few bytes as will do; null: of these there will be none. */
  async #make({ wish, path }: Wanted, signal: AbortSignal): Promise<Blob | null> {
    const { read, make } = this.#deps;
    const { sizeBytes } = wish.row;
    const head = await read(path, 0, Math.min(thumbnailHeadBytes, sizeBytes), signal);
    const isWhole = sizeBytes <= thumbnailHeadBytes;
    // The worker takes the bytes that it is handed.
    const first = await make(isWhole ? head : head.slice(), isWhole, signal);
    if (first.kind === 'made') return first.picture;
    if (first.kind === 'none' || !readsWhole(sizeBytes, this.#imageBytes)) return null;
    const whole = new Uint8Array(sizeBytes);
    whole.set(head);
    whole.set(
      await read(path, thumbnailHeadBytes, sizeBytes - thumbnailHeadBytes, signal),
      thumbnailHeadBytes,
    );
    const second = await make(whole, true, signal);
    return second.kind === 'made' ? second.picture : null;
  }

  #made(wanted: Wanted, picture: Blob): void {
    const made: Made = { kind: 'made', address: this.#deps.addressOf(picture) };
    this.#kept.set(idOf(wanted.wish), made);
    wanted.step = 'done';
    this.#tell(wanted, made);
    for (const [oldest, kept] of this.#kept) {
      if (this.#kept.size <= mostKept) return;
      if (this.#wanted.has(oldest)) continue;
      this.#kept.delete(oldest);
      this.#deps.release(kept.address);
    }
  }

  #noneOf(wanted: Wanted): void {
    this.#without.add(idOf(wanted.wish));
    const [oldest] = this.#without;
    if (this.#without.size > mostNone && oldest !== undefined) this.#without.delete(oldest);
    wanted.step = 'done';
    this.#tell(wanted, none);
  }

  /** The tile says so, and tries again when it comes back into sight; the request log has the reason. */
  #failed(wanted: Wanted): void {
    if (wanted.aborter.signal.aborted) return;
    wanted.step = 'done';
    this.#tell(wanted, failed);
  }

  #tell(wanted: Wanted, state: ThumbnailState): void {
    wanted.state = state;
    for (const listener of wanted.listeners) listener();
  }
}

function objectOf({ place, row }: ThumbnailWish): ThumbnailObject {
  return { ...place, key: row.key, etag: row.etag, sizeBytes: row.sizeBytes };
}

/** The same for the same version only, as far as the list tells. */
export function idOf({ place, row }: ThumbnailWish): string {
  return [place.connectionId, place.bucket, row.etag ?? '', String(row.sizeBytes), row.key].join('\0');
}
