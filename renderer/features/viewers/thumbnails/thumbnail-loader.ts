import type { FoundThumbnail, ThumbnailObject } from '../../../../shared/models/thumbnails.ts';
import type { MakeThumbnail } from './thumbnail-maker.ts';
import { makeFromFewBytes, type ReadObject, thumbnailPolicy, type ThumbnailRow } from './thumbnail-policy.ts';

export type ThumbnailState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'made'; readonly address: string }
  /** The object has no thumbnail, so the icon of its type is shown. */
  | { readonly kind: 'none' }
  /** The object could not be read. Reading is retried when the object's tile becomes visible again. */
  | { readonly kind: 'failed' }
  /** The thumbnail is made only when the user requests it. */
  | { readonly kind: 'asks'; readonly why: 'paid' | 'archived' };

/** An object as listed. */
export interface ThumbnailRequest {
  readonly place: { readonly connectionId: string; readonly bucket: string };
  readonly row: ThumbnailRow;
}

export interface ThumbnailLoaderDeps {
  readonly find: (object: ThumbnailObject, signal: AbortSignal) => Promise<FoundThumbnail>;
  readonly keep: (object: ThumbnailObject, picture: Blob) => Promise<void>;
  /** Reads at most this many bytes of an object from an offset. */
  readonly read: ReadObject;
  readonly make: MakeThumbnail;
  readonly addressOf: (picture: Blob) => string;
  readonly release: (address: string) => void;
  readonly pictureOf: (contentBase64: string) => Blob;
  /** Runs a function after a tile has stayed visible for the required time. */
  readonly afterRest: (run: () => void) => void;
  readonly report: (thrown: unknown) => void;
}

/** Limits of concurrent lookups in the disk cache, and of concurrent reads of objects. */
export const maxCacheLookups = 8;
export const maxObjectReads = 4;
/** Thumbnails kept in memory, some 15 kB each. */
const maxKept = 1500;
/** Objects remembered as having no thumbnail. */
const maxNone = 20_000;

interface ThumbnailEntry {
  readonly request: ThumbnailRequest;
  readonly listeners: Set<() => void>;
  readonly aborter: AbortController;
  state: ThumbnailState;
  /** The number of visible tiles for this thumbnail. */
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
 * Loads thumbnails of visible objects: from memory, from the disk cache, or made from a few bytes of the object. Aborts the work
 * for tiles that are no longer visible. Reads at most `maxObjectReads` objects at a time.
 */
export class ThumbnailLoader {
  readonly #deps: ThumbnailLoaderDeps;
  #imageBytes: number;
  readonly #wanted = new Map<string, ThumbnailEntry>();
  // Least recently used first.
  readonly #kept = new Map<string, Made>();
  readonly #without = new Set<string>();
  /** The ids of thumbnails that the user requested although reading costs extra. Once read, they are in the disk cache. */
  readonly #asked = new Set<string>();
  #looks = 0;
  #reads = 0;

  constructor(deps: ThumbnailLoaderDeps, imageBytes: number) {
    this.#deps = deps;
    this.#imageBytes = imageBytes;
  }

  /** Applies a changed size limit, and retries the objects that had no thumbnail. */
  setImageBytes(imageBytes: number): void {
    if (imageBytes === this.#imageBytes) return;
    this.#imageBytes = imageBytes;
    this.#without.clear();
    for (const wanted of this.#wanted.values()) if (wanted.state.kind === 'none') this.#begin(wanted);
  }

  stateOf(request: ThumbnailRequest): ThumbnailState {
    const id = idOf(request);
    return this.#wanted.get(id)?.state ?? this.#first(request, id);
  }

  /** Subscribes to changes of a thumbnail. Returns a function that unsubscribes. */
  subscribe(request: ThumbnailRequest, listener: () => void): () => void {
    const id = idOf(request);
    this.#enter(request, id).listeners.add(listener);
    return () => {
      const wanted = this.#wanted.get(id);
      wanted?.listeners.delete(listener);
      if (wanted === undefined || wanted.listeners.size > 0) return;
      wanted.aborter.abort();
      this.#wanted.delete(id);
      this.#pump();
    };
  }

  /** Marks a tile as visible until the returned function is called. Only visible tiles cause requests. */
  markVisible(request: ThumbnailRequest): () => void {
    const wanted = this.#enter(request, idOf(request));
    wanted.sights += 1;
    if (wanted.sights === 1 && (wanted.state.kind === 'waiting' || wanted.state.kind === 'failed'))
      this.#begin(wanted);
    return () => {
      wanted.sights -= 1;
      if (wanted.sights > 0 || wanted.step === 'done') return;
      // Leaves the queue and aborts the request when no tile shows this thumbnail.
      this.#giveUp(wanted);
    };
  }

  /** Makes a thumbnail at the user's request, or retries a failed thumbnail. */
  ask(request: ThumbnailRequest): void {
    const id = idOf(request);
    this.#asked.add(id);
    this.#without.delete(id);
    const wanted = this.#wanted.get(id);
    if (wanted === undefined) return;
    this.#begin(wanted);
  }

  #first(request: ThumbnailRequest, id: string): ThumbnailState {
    const made = this.#kept.get(id);
    if (made !== undefined) {
      this.#kept.delete(id);
      this.#kept.set(id, made);
      return made;
    }
    if (this.#without.has(id)) return none;
    const policy = thumbnailPolicy(request.row, this.#imageBytes);
    if (policy === 'none') return none;
    return policy === 'makes' || this.#asked.has(id) ? waiting : asks[policy];
  }

  #enter(request: ThumbnailRequest, id: string): ThumbnailEntry {
    const known = this.#wanted.get(id);
    if (known !== undefined) return known;
    const wanted: ThumbnailEntry = {
      request,
      listeners: new Set(),
      aborter: new AbortController(),
      state: this.#first(request, id),
      sights: 0,
      step: 'done',
      path: '',
    };
    this.#wanted.set(id, wanted);
    return wanted;
  }

  #begin(wanted: ThumbnailEntry): void {
    if (wanted.sights === 0 || wanted.step !== 'done') return;
    wanted.step = 'resting';
    this.#notify(wanted, waiting);
    this.#deps.afterRest(() => {
      if (wanted.step !== 'resting') return;
      wanted.step = 'due';
      this.#pump();
    });
  }

  #giveUp(wanted: ThumbnailEntry): void {
    const id = idOf(wanted.request);
    wanted.aborter.abort();
    if (this.#wanted.get(id) !== wanted) return;
    this.#wanted.delete(id);
    if (wanted.listeners.size > 0) {
      const next = this.#enter(wanted.request, id);
      for (const listener of wanted.listeners) next.listeners.add(listener);
    }
    this.#pump();
  }

  /** Starts as many lookups and reads as the limits allow, in the order in which the tiles became visible. */
  #pump(): void {
    for (const wanted of this.#wanted.values()) {
      if (this.#looks >= maxCacheLookups && this.#reads >= maxObjectReads) return;
      if (wanted.step === 'due' && this.#looks < maxCacheLookups) void this.#findInCache(wanted);
      else if (wanted.step === 'unread' && this.#reads < maxObjectReads) void this.#read(wanted);
    }
  }

  async #findInCache(wanted: ThumbnailEntry): Promise<void> {
    this.#looks += 1;
    wanted.step = 'looking';
    const { signal } = wanted.aborter;
    try {
      const found = await this.#deps.find(objectOf(wanted.request), signal);
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

  async #read(wanted: ThumbnailEntry): Promise<void> {
    this.#reads += 1;
    wanted.step = 'reading';
    const { signal } = wanted.aborter;
    try {
      const { read, make } = this.#deps;
      const source = { path: wanted.path, sizeBytes: wanted.request.row.sizeBytes };
      const picture = await makeFromFewBytes({ ...source, imageBytes: this.#imageBytes, read, make }, signal);
      if (signal.aborted) return;
      if (picture === null) this.#rememberNone(wanted);
      else {
        this.#made(wanted, picture);
        // Without a stored thumbnail, the object is read again next time.
        this.#deps.keep(objectOf(wanted.request), picture).catch(this.#deps.report);
      }
    } catch {
      this.#failed(wanted);
    } finally {
      this.#reads -= 1;
      this.#pump();
    }
  }

  #made(wanted: ThumbnailEntry, picture: Blob): void {
    const made: Made = { kind: 'made', address: this.#deps.addressOf(picture) };
    this.#kept.set(idOf(wanted.request), made);
    wanted.step = 'done';
    this.#notify(wanted, made);
    for (const [oldest, kept] of this.#kept) {
      if (this.#kept.size <= maxKept) return;
      if (this.#wanted.has(oldest)) continue;
      this.#kept.delete(oldest);
      this.#deps.release(kept.address);
    }
  }

  #rememberNone(wanted: ThumbnailEntry): void {
    this.#without.add(idOf(wanted.request));
    const [oldest] = this.#without;
    if (this.#without.size > maxNone && oldest !== undefined) this.#without.delete(oldest);
    wanted.step = 'done';
    this.#notify(wanted, none);
  }

  /** Shows the failure in the tile, which retries when it becomes visible again. The request log has the reason. */
  #failed(wanted: ThumbnailEntry): void {
    if (wanted.aborter.signal.aborted) return;
    wanted.step = 'done';
    this.#notify(wanted, failed);
  }

  #notify(wanted: ThumbnailEntry, state: ThumbnailState): void {
    wanted.state = state;
    for (const listener of wanted.listeners) listener();
  }
}

function objectOf({ place, row }: ThumbnailRequest): ThumbnailObject {
  return { ...place, key: row.key, etag: row.etag, sizeBytes: row.sizeBytes };
}

/** Returns an id for a version of an object, as exactly as the listing identifies it. */
export function idOf({ place, row }: ThumbnailRequest): string {
  return [place.connectionId, place.bucket, row.etag ?? '', String(row.sizeBytes), row.key].join('\0');
}
