import { failure, toAppError, type AppError } from '../../../shared/errors.ts';
import type { StartPlace } from '../../../shared/models/connection.ts';
import {
  everyObject,
  type WalkChildren,
  type WalkQuery,
  type WalkState,
  type WalkStatus,
} from '../../../shared/models/walks.ts';
import { always, smallestLimit, type AtOnce } from '../flow/limits.ts';
import type { Clock, Logger } from '../ports.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { ChildSums, type ChildSort } from './tables/child-sums.ts';
import { denialOf, permittedPrefixes, noForeign, withForeign } from '../s3/listing/prefixes.ts';
import { createPageLister } from './pieces/page-lister.ts';
import type { PageSum } from './pages/page-messages.ts';
import { PageRoom } from './pages/page-memory.ts';
import type { PagePool } from './pages/page-pool.ts';
import type { KeyChange, RowChange } from './tables/table.ts';
import type { TableHandle } from './tables/table-thread.ts';
import type { FoundKeys, KeptKeys, KeySink, WalkPlace } from './walk-source.ts';
import { walkKeys } from './pieces/walker.ts';

export interface WalkDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly clientOf: (connectionId: string) => Promise<S3Client>;
  readonly startOf: (connectionId: string) => StartPlace | null;
  readonly pool: PagePool;
  readonly table: TableHandle;
  /** The number of key ranges listed in parallel. If undefined, it follows the measured pace of the service. */
  readonly readers: number | undefined;
}

export interface WalkInput extends WalkPlace {
  readonly walkId: string;
  readonly query: WalkQuery | null;
  /** True if rows already stored stay in the table when the listing restarts. */
  readonly keepsRows: boolean;
  /** Stored keys to search; null to list the keys from the service. */
  readonly kept: KeptKeys | null;
  /** True if the search may continue below the connection's start folder when listing the prefix is denied. */
  readonly mayNarrow: boolean;
  /** Receives all listed keys, to fill a map; null for a search. */
  readonly sink: KeySink | null;
}

/** The maximum number of pages whose rows wait to be stored. When it is reached, the listing pauses. */
const maxWaiting = 24;

/** Lists or searches the keys below a prefix. Holds the counts so far and the table of results. */
export class Walk {
  readonly input: WalkInput;
  readonly table: TableHandle;
  readonly #deps: WalkDeps;
  readonly #stopping = new AbortController();
  readonly #startedMs: number;
  readonly #startedAt: string;
  readonly #listeners = new Set<() => void>();
  readonly #classes = new Map<string, { keys: number; sizeBytes: number }>();
  readonly #children = new ChildSums();
  readonly ended: Promise<void>;
  #state: WalkState = 'running';
  #endedMs: number | null = null;
  #error: AppError | null = null;
  #keys = 0;
  #sizeBytes = 0;
  #matches = 0;
  #matchedBytes = 0;
  #foreign = noForeign;
  #requests = 0;
  #pieces = 0;
  #isSequential = false;
  #onlyBelow: string | null = null;
  #changes = 0;
  #isOutdated = false;
  #waiting = 0;
  /** Limits the pages in flight while storing their rows is slow. */
  readonly #toWrite = new PageRoom();
  #room: PromiseWithResolvers<void> | null = null;
  #written: Promise<unknown> = Promise.resolve();
  /** True once sums of subfolders have been moved to the table. All further sums are then stored there too. */
  #tableHasChildren = false;

  constructor(input: WalkInput, deps: WalkDeps) {
    this.input = input;
    this.table = deps.table;
    this.#deps = deps;
    this.#startedMs = deps.clock.monotonicMs();
    this.#startedAt = new Date(deps.clock.nowMs()).toISOString();
    this.ended = this.#run();
  }

  get state(): WalkState {
    return this.#state;
  }

  status(): WalkStatus {
    const { walkId, connectionId, bucket, prefix, query } = this.input;
    return {
      walkId,
      connectionId,
      bucket,
      prefix,
      query,
      state: this.#state,
      startedAt: this.#startedAt,
      durationMs: (this.#endedMs ?? this.#deps.clock.monotonicMs()) - this.#startedMs,
      keys: this.#keys,
      sizeBytes: this.#sizeBytes,
      byStorageClass: [...this.#classes].map(([storageClass, sum]) => ({ storageClass, ...sum })),
      matches: this.#matches,
      matchedBytes: this.#matchedBytes,
      foreign: this.#foreign,
      requests: this.#requests,
      pieces: this.#pieces,
      isSequential: this.#isSequential,
      error: this.#error,
      onlyBelow: this.#onlyBelow,
      takenAt: this.input.kept?.takenAt ?? null,
      changes: this.#changes,
      isOutdated: this.#isOutdated,
    };
  }

  /** Applies changes of keys, made by jobs of this program, to the results. */
  changeKeys(changes: readonly KeyChange[]): void {
    const { query, prefix } = this.input;
    if (query === null) return;
    const inRows: RowChange[] = [];
    const isBelow = (key: string): boolean => key.startsWith(prefix);
    for (const change of changes) {
      const { kind, key } = change;
      if (kind === 'written') this.#isOutdated ||= key === null || isBelow(key);
      else if (kind !== 'moved' || isBelow(change.newKey)) {
        if (isBelow(key)) inRows.push(change);
        // Nothing found it before, but its new key may match.
        else this.#isOutdated ||= kind === 'moved';
      } else if (isBelow(key)) inRows.push({ kind: 'removed', key });
    }
    if (inRows.length > 0 && this.table.isOpen) this.#write(this.#changeRows(inRows));
    else this.#changed();
  }

  async #changeRows(changes: readonly RowChange[]): Promise<void> {
    const { rows, sizeBytes, unknown } = await this.table.ask('change', { changes });
    this.#matches += rows;
    this.#matchedBytes += sizeBytes;
    this.#isOutdated ||= unknown > 0;
    this.#changes += 1;
  }

  /** Adds a listener for changes; returns a function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Stops the listing at once: aborts its requests and ignores pages that still arrive. */
  stop(): void {
    if (this.#state !== 'running') return;
    this.#end('stopped');
    this.#stopping.abort(failure('cancelled', 'The walk was stopped.'));
  }

  /** Returns a range of the direct subfolders with their sums so far. */
  async children(offset: number, limit: number, sort: ChildSort): Promise<WalkChildren> {
    if (!this.#tableHasChildren) return this.#children.read(offset, limit, sort);
    const rest = this.#children.take();
    if (rest.length > 0) {
      const added = this.table.ask('add', { rows: null, children: rest });
      this.#write(added);
      await added;
    }
    return await this.table.ask('children', { offset, limit, sort });
  }

  /** Resolves once all rows so far are stored in the table. */
  async written(): Promise<void> {
    await this.#written;
  }

  async #run(): Promise<void> {
    const { connectionId, kept } = this.input;
    try {
      if (kept !== null) {
        await this.#search(kept);
        return;
      }
      const client = await this.#deps.clientOf(connectionId);
      await this.#listPermitted(client);
      await this.#written;
      this.#end('done');
    } catch (thrown) {
      if (this.#state !== 'running') return;
      const error = toAppError(thrown);
      if (error.code === 'internal') this.#deps.logger.error('A walk failed unexpectedly.', { err: thrown });
      this.#error = error;
      this.#end('failed');
      this.#stopping.abort(thrown);
    }
  }

  async #listPermitted(client: S3Client): Promise<void> {
    const { connectionId, prefix: wanted, mayNarrow } = this.input;
    const start = mayNarrow ? this.#deps.startOf(connectionId) : null;
    const prefixes = permittedPrefixes(this.input, start);
    for (const [at, prefix] of prefixes.entries())
      try {
        this.#onlyBelow = prefix === wanted ? null : prefix;
        await this.#list(client, prefix);
        return;
      } catch (thrown) {
        // After some keys were listed, the denial is not about the prefix, so a narrower prefix would not help.
        if (denialOf(thrown) === null || this.#keys > 0 || at === prefixes.length - 1) throw thrown;
      }
  }

  async #list(client: S3Client, prefix: string): Promise<void> {
    const { walkId, bucket, query, sink, prefix: patternPrefix } = this.input;
    const lister = createPageLister({
      client,
      pool: this.#deps.pool,
      bucket,
      pageOptions: { walkId, prefix, patternPrefix, query, isForMap: sink !== null },
      onRequest: () => {
        this.#requests += 1;
      },
    });
    await walkKeys({
      prefix,
      lister,
      readers: this.#readers(client),
      signal: this.#stopping.signal,
      onPage: (page) => this.#count(page),
      onRestart: () => this.#restart(),
      onPieces: (pieces) => {
        this.#pieces = this.#state === 'running' ? pieces : 0;
      },
      room: async () => await this.#haveRoom(),
    });
  }

  #readers({ pace }: S3Client): AtOnce {
    const { pool, readers } = this.#deps;
    if (readers !== undefined) return always(readers);
    return smallestLimit(pace, pool.room, this.#toWrite);
  }

  /** Searches stored keys instead of listing them. */
  async #search(kept: KeptKeys): Promise<void> {
    const { query, prefix } = this.input;
    for await (const found of kept.search(query ?? everyObject, prefix, this.#stopping.signal)) {
      this.#countFound(found);
      await this.#haveRoom();
    }
    await this.#written;
    this.#end('done');
  }

  #countFound({ keys, sizeBytes, matches, matchedBytes, rows }: FoundKeys): void {
    if (this.#state !== 'running') return;
    this.#keys += keys;
    this.#sizeBytes += sizeBytes;
    this.#matches += matches;
    this.#matchedBytes += matchedBytes;
    if (rows !== null) this.#write(this.table.ask('add', { rows, children: [] }));
    this.#changed();
  }

  #count(page: PageSum): void {
    if (this.#state !== 'running') return;
    this.#keys += page.keys;
    this.#sizeBytes += page.sizeBytes;
    this.#matches += page.matches;
    this.#matchedBytes += page.matchedBytes;
    this.#foreign = withForeign(this.#foreign, page.foreign);
    for (const [name, keys, sizeBytes] of page.byStorageClass) {
      const sum = this.#classes.get(name);
      if (sum === undefined) this.#classes.set(name, { keys, sizeBytes });
      else {
        sum.keys += keys;
        sum.sizeBytes += sizeBytes;
      }
    }
    const { sink } = this.input;
    if (sink !== null) {
      if (page.keyPage !== null) this.#write(sink.add(page.keyPage));
      this.#toWrite.read(this.#waiting);
      this.#changed();
      return;
    }
    this.#children.add(page.children);
    if (page.rows !== null || this.#children.isFull) {
      const children = this.#children.isFull ? this.#children.take() : [];
      this.#tableHasChildren ||= children.length > 0;
      this.#write(this.table.ask('add', { rows: page.rows, children }));
    }
    this.#toWrite.read(this.#waiting);
    this.#changed();
  }

  #restart(): void {
    this.#deps.logger.info(
      'A service does not list keys in their order; the walk starts again, as one listing.',
      { bucket: this.input.bucket },
    );
    this.#isSequential = true;
    this.#keys = 0;
    this.#sizeBytes = 0;
    this.#matches = 0;
    this.#matchedBytes = 0;
    this.#foreign = noForeign;
    this.#classes.clear();
    this.#children.clear();
    this.#tableHasChildren = false;
    if (this.input.sink !== null) this.#write(this.input.sink.restart());
    if (this.table.isOpen) this.#write(this.table.ask('restart', { keepRows: this.input.keepsRows }));
    this.#changed();
  }

  #write(written: Promise<unknown>): void {
    this.#waiting += 1;
    const before = this.#written;
    const done = written.finally(() => {
      this.#waiting -= 1;
      if (this.#waiting < maxWaiting) {
        this.#room?.resolve();
        this.#room = null;
      }
      // Consumers that follow the rows as they arrive wait for this event.
      this.#changed();
    });
    this.#written = Promise.all([before, done]).then(() => undefined);
    // The rejection is handled where `#written` is awaited: in `#haveRoom` and at the end.
    this.#written.catch(() => undefined);
  }

  /** Waits until the table accepts more pages. Throws if storing rows failed, for example because the disk is full. */
  async #haveRoom(): Promise<void> {
    if (this.#waiting < maxWaiting) return;
    this.#room ??= Promise.withResolvers<void>();
    await Promise.race([this.#room.promise, this.#written]);
  }

  #end(state: WalkState): void {
    if (this.#state !== 'running') return;
    this.#state = state;
    this.#endedMs = this.#deps.clock.monotonicMs();
    this.#pieces = 0;
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
