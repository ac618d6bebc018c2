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
const maxCachedThumbnails = 1500;
/** Objects remembered as having no thumbnail. */
const maxWithoutThumbnail = 20_000;

interface ThumbnailEntry {
  readonly request: ThumbnailRequest;
  readonly listeners: Set<() => void>;
  aborter: AbortController;
  state: ThumbnailState;
  /** The number of visible tiles for this thumbnail. */
  visibleTiles: number;
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

type MadeThumbnail = Extract<ThumbnailState, { kind: 'made' }>;

/**
 * Loads thumbnails of visible objects: from memory, from the disk cache, or made from a few bytes of the object. Aborts the work
 * for tiles that are no longer visible. Reads at most `maxObjectReads` objects at a time.
 */
export class ThumbnailLoader {
  readonly #deps: ThumbnailLoaderDeps;
  #imageBytes: number;
  readonly #entries = new Map<string, ThumbnailEntry>();
  // Least recently used first.
  readonly #cached = new Map<string, MadeThumbnail>();
  readonly #withoutThumbnail = new Set<string>();
  /** The ids of thumbnails that the user requested although reading costs extra. Once read, they are in the disk cache. */
  readonly #requestedIds = new Set<string>();
  #lookups = 0;
  #reads = 0;

  constructor(deps: ThumbnailLoaderDeps, imageBytes: number) {
    this.#deps = deps;
    this.#imageBytes = imageBytes;
  }

  /** Applies a changed size limit to all thumbnails that are not yet made. */
  setImageBytes(imageBytes: number): void {
    if (imageBytes === this.#imageBytes) return;
    this.#imageBytes = imageBytes;
    this.#withoutThumbnail.clear();
    for (const entry of this.#entries.values()) if (entry.state.kind !== 'made') this.#restart(entry);
  }

  stateOf(request: ThumbnailRequest): ThumbnailState {
    const id = idOf(request);
    return this.#entries.get(id)?.state ?? this.#initialState(request, id);
  }

  /** Subscribes to changes of a thumbnail. Returns a function that unsubscribes. */
  subscribe(request: ThumbnailRequest, listener: () => void): () => void {
    const id = idOf(request);
    this.#enter(request, id).listeners.add(listener);
    return () => {
      const entry = this.#entries.get(id);
      entry?.listeners.delete(listener);
      if (entry === undefined || entry.listeners.size > 0) return;
      entry.aborter.abort();
      this.#entries.delete(id);
      this.#pump();
    };
  }

  /** Marks a tile as visible until the returned function is called. Only visible tiles cause requests. */
  markVisible(request: ThumbnailRequest): () => void {
    const entry = this.#enter(request, idOf(request));
    entry.visibleTiles += 1;
    if (entry.visibleTiles === 1 && (entry.state.kind === 'waiting' || entry.state.kind === 'failed'))
      this.#begin(entry);
    return () => {
      entry.visibleTiles -= 1;
      if (entry.visibleTiles > 0 || entry.step === 'done') return;
      // Leaves the queue and aborts the request when no tile shows this thumbnail.
      this.#giveUp(entry);
    };
  }

  /** Makes a thumbnail at the user's request, or retries a failed thumbnail. */
  ask(request: ThumbnailRequest): void {
    const id = idOf(request);
    this.#requestedIds.add(id);
    this.#withoutThumbnail.delete(id);
    const entry = this.#entries.get(id);
    if (entry?.step === 'done' && entry.state.kind !== 'made') this.#restart(entry);
  }

  #initialState(request: ThumbnailRequest, id: string): ThumbnailState {
    const made = this.#cached.get(id);
    if (made !== undefined) {
      this.#cached.delete(id);
      this.#cached.set(id, made);
      return made;
    }
    if (this.#withoutThumbnail.has(id)) return none;
    const isRequested = this.#requestedIds.has(id);
    const policy = thumbnailPolicy(request.row, isRequested ? Number.POSITIVE_INFINITY : this.#imageBytes);
    if (policy === 'none') return none;
    return policy === 'makes' || isRequested ? waiting : asks[policy];
  }

  #enter(request: ThumbnailRequest, id: string): ThumbnailEntry {
    const known = this.#entries.get(id);
    if (known !== undefined) return known;
    const entry: ThumbnailEntry = {
      request,
      listeners: new Set(),
      aborter: new AbortController(),
      state: this.#initialState(request, id),
      visibleTiles: 0,
      step: 'done',
      path: '',
    };
    this.#entries.set(id, entry);
    return entry;
  }

  #begin(entry: ThumbnailEntry): void {
    if (entry.visibleTiles === 0 || entry.step !== 'done') return;
    entry.step = 'resting';
    this.#notify(entry, waiting);
    this.#deps.afterRest(() => {
      if (entry.step !== 'resting') return;
      entry.step = 'due';
      this.#pump();
    });
  }

  /** Aborts the work for an entry, applies the policy again, and begins only if the policy allows it. */
  #restart(entry: ThumbnailEntry): void {
    entry.aborter.abort();
    entry.aborter = new AbortController();
    entry.step = 'done';
    this.#notify(entry, this.#initialState(entry.request, idOf(entry.request)));
    if (entry.state.kind === 'waiting') this.#begin(entry);
  }

  #giveUp(entry: ThumbnailEntry): void {
    const id = idOf(entry.request);
    entry.aborter.abort();
    if (this.#entries.get(id) !== entry) return;
    this.#entries.delete(id);
    if (entry.listeners.size > 0) {
      const next = this.#enter(entry.request, id);
      for (const listener of entry.listeners) next.listeners.add(listener);
    }
    this.#pump();
  }

  /** Starts as many lookups and reads as the limits allow, in the order in which the tiles became visible. */
  #pump(): void {
    for (const entry of this.#entries.values()) {
      if (this.#lookups >= maxCacheLookups && this.#reads >= maxObjectReads) return;
      if (entry.step === 'due' && this.#lookups < maxCacheLookups) void this.#findInCache(entry);
      else if (entry.step === 'unread' && this.#reads < maxObjectReads) void this.#read(entry);
    }
  }

  async #findInCache(entry: ThumbnailEntry): Promise<void> {
    this.#lookups += 1;
    entry.step = 'looking';
    const { signal } = entry.aborter;
    try {
      const found = await this.#deps.find(objectOf(entry.request), signal);
      if (signal.aborted) return;
      if (found.kind === 'kept') this.#made(entry, this.#deps.pictureOf(found.contentBase64));
      else {
        entry.path = found.path;
        entry.step = 'unread';
      }
    } catch {
      this.#failed(entry, signal);
    } finally {
      this.#lookups -= 1;
      this.#pump();
    }
  }

  async #read(entry: ThumbnailEntry): Promise<void> {
    this.#reads += 1;
    entry.step = 'reading';
    const { signal } = entry.aborter;
    try {
      const { read, make } = this.#deps;
      const source = { path: entry.path, sizeBytes: entry.request.row.sizeBytes };
      const picture = await makeFromFewBytes({ ...source, imageBytes: this.#imageBytes, read, make }, signal);
      if (signal.aborted) return;
      if (picture === null) this.#rememberNone(entry);
      else {
        this.#made(entry, picture);
        // Without a stored thumbnail, the object is read again next time.
        this.#deps.keep(objectOf(entry.request), picture).catch(this.#deps.report);
      }
    } catch {
      this.#failed(entry, signal);
    } finally {
      this.#reads -= 1;
      this.#pump();
    }
  }

  #made(entry: ThumbnailEntry, picture: Blob): void {
    const made: MadeThumbnail = { kind: 'made', address: this.#deps.addressOf(picture) };
    this.#cached.set(idOf(entry.request), made);
    entry.step = 'done';
    this.#notify(entry, made);
    for (const [oldest, cachedThumbnail] of this.#cached) {
      if (this.#cached.size <= maxCachedThumbnails) return;
      if (this.#entries.has(oldest)) continue;
      this.#cached.delete(oldest);
      this.#deps.release(cachedThumbnail.address);
    }
  }

  #rememberNone(entry: ThumbnailEntry): void {
    this.#withoutThumbnail.add(idOf(entry.request));
    const [oldest] = this.#withoutThumbnail;
    if (this.#withoutThumbnail.size > maxWithoutThumbnail && oldest !== undefined)
      this.#withoutThumbnail.delete(oldest);
    entry.step = 'done';
    this.#notify(entry, none);
  }

  /** Shows the failure in the tile, which retries when it becomes visible again. The request log has the reason. */
  #failed(entry: ThumbnailEntry, signal: AbortSignal): void {
    if (signal.aborted) return;
    entry.step = 'done';
    this.#notify(entry, failed);
  }

  #notify(entry: ThumbnailEntry, state: ThumbnailState): void {
    entry.state = state;
    for (const listener of entry.listeners) listener();
  }
}

function objectOf({ place, row }: ThumbnailRequest): ThumbnailObject {
  return { ...place, key: row.key, etag: row.etag, sizeBytes: row.sizeBytes };
}

/** Returns an id for a version of an object, as exactly as the listing identifies it. */
export function idOf({ place, row }: ThumbnailRequest): string {
  return [place.connectionId, place.bucket, row.etag ?? '', String(row.sizeBytes), row.key].join('\0');
}
