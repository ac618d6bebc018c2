import { failure } from '../../../shared/errors.ts';
import type { CatalogueSource, KeptState, MapStatus, MapWalk } from '../../../shared/models/map.ts';
import type { Clock, Logger } from '../ports.ts';
import { printOrigin, type BucketOrigin } from '../s3/model/bucket-origin.ts';
import type { KeySink, KeyWalk, WalkPlace } from '../walks/walk-source.ts';
import type { CatalogueThread } from './catalogue-thread.ts';
import type { IndexedCatalogue } from './thread/catalogue-index.ts';
import type { SumsNow } from './thread/growing-sums.ts';

export interface OpenMapDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly thread: CatalogueThread;
  readonly newId: () => string;
  readonly walk: (place: WalkPlace, sink: KeySink) => KeyWalk;
  /** Returns the disk limit of the catalogues in bytes; 0 keeps none. */
  readonly limitBytes: () => number;
  /** The origin of the bucket when the map was opened. */
  readonly bucketOrigin: BucketOrigin;
  /** Called when the list of catalogues changed: one was replaced or cannot be read. */
  readonly onCatalogues: () => void;
}

/** The sums of a place, which the catalogue thread holds, and where they come from. */
interface Sums extends SumsNow {
  readonly sumsId: string;
  readonly source: MapStatus['source'];
  readonly takenAt: string;
  readonly origin: CatalogueSource;
  readonly isComplete: boolean;
}

/** An inventory report, which is read instead of listing the keys. */
export interface ReportSource {
  /** The time of the report, ISO 8601. */
  readonly takenAt: string;
  /** True if the report contains all keys of the place. Otherwise its map is shown, but no catalogue is stored. */
  readonly isWhole: boolean;
  readonly walk: (place: WalkPlace, sink: KeySink) => KeyWalk;
}

/** The maximum number of keys in the response to one request. */
export const keysPerPage = 1000;
const nothing: SumsNow = { revision: 0, objects: 0, sizeBytes: 0, folders: 0 };

/** The totals shown for one bucket or prefix, and the walk (a listing of all its keys) that computes newer ones. */
export class OpenMap {
  readonly mapId: string;
  readonly place: WalkPlace;
  readonly #deps: OpenMapDeps;
  readonly #listeners = new Set<() => void>();
  #shown: Sums | null = null;
  #walk: KeyWalk | null = null;
  /** The last walk whose sums and catalogue are final. */
  #settledWalk: KeyWalk | null = null;
  #walking: Promise<void> = Promise.resolve();
  #kept: KeptState = 'pending';
  /** Incremented with each change of the shown sums. The revisions of the sums themselves restart at 0 with each listing. */
  #revision = 0;
  #isClosed = false;
  #watchers = 0;

  constructor(mapId: string, place: WalkPlace, deps: OpenMapDeps) {
    this.mapId = mapId;
    this.place = place;
    this.#deps = deps;
  }

  /** True while keys are listed, and until the catalogue of a completed listing is finished. */
  get isWalking(): boolean {
    const state = this.#walk?.status().state;
    return state === 'running' || (state === 'done' && this.#walk !== this.#settledWalk);
  }

  /** True if the map must stay open: it is visible in a window, and could only be restored by listing all keys again. */
  get isNeeded(): boolean {
    return this.#watchers > 0 && this.#kept !== 'kept';
  }

  get bucketOrigin(): BucketOrigin {
    return this.#deps.bucketOrigin;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** True if the shown sums contain all keys of the place. */
  get isComplete(): boolean {
    return this.#shown?.isComplete === true;
  }

  get origin(): CatalogueSource {
    return this.#shown?.origin ?? 'walk';
  }

  get takenAt(): string | null {
    return this.#shown?.takenAt ?? null;
  }

  /** Returns the id of the shown sums. Throws AppError('not-found') if no sums exist yet. */
  get sumsId(): string {
    if (this.#shown === null) throw failure('not-found', 'No sums are stored for this bucket or folder.');
    return this.#shown.sumsId;
  }

  status(): MapStatus {
    const { connectionId, bucket, prefix } = this.place;
    const { sumsId: _sumsId, ...shown } = this.#shown ?? {
      ...nothing,
      sumsId: '',
      source: 'walk' as const,
      takenAt: new Date(this.#deps.clock.nowMs()).toISOString(),
      origin: 'walk' as const,
      isComplete: false,
    };
    return {
      mapId: this.mapId,
      connectionId,
      bucket,
      prefix,
      ...shown,
      revision: this.#revision,
      walk: this.#walk === null ? null : walkFacts(this.#walk),
      kept: this.#kept,
    };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Counts a window that shows the map, until the returned function is called. */
  addWatcher(): () => void {
    this.#watchers += 1;
    return () => {
      this.#watchers -= 1;
    };
  }

  /** Loads a catalogue and shows its sums. */
  async show({ catalogueId, takenAt, source }: IndexedCatalogue): Promise<void> {
    const sumsId = this.#deps.newId();
    const now = await this.#deps.thread.ask('load', { sumsId, catalogueId });
    await this.#replace({ ...now, sumsId, source: 'catalogue', takenAt, origin: source, isComplete: true });
    this.#kept = 'kept';
    this.#changed();
  }

  /** Starts to list all keys. Replaces the catalogue only once the listing is complete. */
  refresh(): void {
    if (this.isWalking || this.#isClosed) return;
    this.#begin(null);
  }

  /** Stops a running listing and reads the sums from an inventory report instead. */
  async read(report: ReportSource): Promise<void> {
    this.stop();
    await this.#walking;
    if (!this.#isClosed) this.#begin(report);
  }

  #begin(report: ReportSource | null): void {
    this.#walking = this.#run(report).catch((thrown: unknown) => {
      this.#deps.logger.error('Could not build a map.', { err: thrown });
      if (this.#kept === 'pending') this.#kept = 'failed';
      this.#changed();
    });
  }

  stop(): void {
    this.#walk?.stop();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.stop();
    await this.#walking;
    this.#changed();
    if (this.#shown !== null) await this.#deps.thread.ask('drop', { sumsId: this.#shown.sumsId });
  }

  async #run(report: ReportSource | null): Promise<void> {
    const { thread, clock, limitBytes } = this.#deps;
    const sumsId = this.#deps.newId();
    const isWhole = report?.isWhole ?? true;
    const limit = isWhole ? limitBytes() : 0;
    const takenAt = report?.takenAt ?? new Date(clock.nowMs()).toISOString();
    const origin = report === null ? 'walk' : 'inventory';
    const keptBefore = this.#kept;
    this.#kept = limit === 0 ? 'off' : 'pending';
    const begun = thread.ask('begin', {
      sumsId,
      prefix: this.place.prefix,
      limitBytes: limit,
      mayRepeat: report !== null,
    });
    let latest: SumsNow = nothing;
    // Complete sums stay visible until newer ones are complete. Incomplete ones are replaced while the listing runs.
    const grows = this.#shown?.isComplete !== true;
    const showGrowing = async (): Promise<void> => {
      if (!grows) return;
      await this.#replace({ ...latest, sumsId, source: 'walk', takenAt, origin, isComplete: false });
      this.#changed();
    };
    const walk = (report?.walk ?? this.#deps.walk)(this.place, {
      add: async (page) => {
        latest = await thread.ask('add', { sumsId, page });
        await showGrowing();
      },
      restart: async () => {
        await thread.ask('restart', { sumsId });
        latest = nothing;
        await showGrowing();
      },
      disorder: async () => await thread.ask('disorder', { sumsId }),
    });
    this.#walk = walk;
    const forget = walk.onChange(() => this.#changed());
    try {
      await begun;
      await showGrowing();
      await walk.ended;
      if (walk.status().state === 'done')
        await this.#keep(
          { ...latest, sumsId, source: 'walk', takenAt, origin, isComplete: isWhole },
          walk,
          limit,
        );
      else await this.#giveUp(sumsId, grows, keptBefore);
    } finally {
      forget();
      this.#settledWalk = walk;
      this.#changed();
    }
  }

  async #keep(sums: Sums, walk: KeyWalk, limitBytes: number): Promise<void> {
    const { sumsId, takenAt, origin, objects } = sums;
    // An estimate of the requests that listing the same keys would take.
    const requests = origin === 'inventory' ? Math.ceil(objects / keysPerPage) : walk.status().requests;
    const from = printOrigin(this.#deps.bucketOrigin);
    const ending = {
      ...this.place,
      catalogueId: sumsId,
      takenAt,
      requests,
      source: origin,
      origin: from,
      limitBytes,
    };
    const { kept, ...counted } = await this.#deps.thread.ask('finish', { sumsId, ending });
    // All fields change together, so that the status `kept` always matches the sums and the list of catalogues.
    this.#deps.onCatalogues();
    const replaced = this.#replace({ ...sums, ...counted });
    this.#kept = kept;
    await replaced;
  }

  async #giveUp(sumsId: string, isShown: boolean, keptBefore: KeptState): Promise<void> {
    this.#kept = this.isComplete ? keptBefore : 'failed';
    await this.#deps.thread.ask('abandon', { sumsId });
    if (!isShown) await this.#deps.thread.ask('drop', { sumsId });
  }

  async #replace(next: Sums): Promise<void> {
    const before = this.#shown;
    this.#shown = next;
    this.#revision += 1;
    if (before !== null && before.sumsId !== next.sumsId)
      await this.#deps.thread.ask('drop', { sumsId: before.sumsId });
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function walkFacts(walk: KeyWalk): MapWalk {
  const { state, startedAt, durationMs, keys, sizeBytes, requests, isSequential, foreign, error } =
    walk.status();
  const report = walk.report?.() ?? null;
  return { state, startedAt, durationMs, keys, sizeBytes, requests, isSequential, foreign, error, report };
}
