import { failure, toAppError, type AppError } from '../../../shared/errors.ts';
import type { StartPlace } from '../../../shared/models/connection.ts';
import {
  everyObject,
  type WalkChildren,
  type WalkChildSort,
  type WalkQuery,
  type WalkState,
  type WalkStatus,
} from '../../../shared/models/walks.ts';
import { always, smallestLimit, type AtOnce } from '../flow/limits.ts';
import type { Clock, Logger } from '../ports.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { ChildSums, WalkSums } from './walk-sums.ts';
import { denialOf, permittedPrefixes } from '../s3/listing/prefixes.ts';
import { createPageLister } from './pieces/page-lister.ts';
import type { PageSum } from './pages/page-messages.ts';
import { PageWrites } from './pages/page-memory.ts';
import type { PagePool } from './pages/page-pool.ts';
import type { KeyChange, RowChange } from './tables/changed-rows.ts';
import type { TableHandle } from './tables/table-thread.ts';
import type { FoundKeys, StoredKeys, KeySink, WalkPlace } from './walk-source.ts';
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
  readonly storedKeys: StoredKeys | null;
  /** True if the search may continue below the connection's start folder when listing the prefix is denied. */
  readonly mayNarrow: boolean;
  /** Receives all listed keys, to fill a map; null for a search. */
  readonly sink: KeySink | null;
}

/** Lists or searches the keys below a prefix. Holds the counts so far and the table of results. */
export class Walk {
  readonly input: WalkInput;
  readonly table: TableHandle;
  readonly #deps: WalkDeps;
  readonly #stopping = new AbortController();
  readonly #startedMs: number;
  readonly #startedAt: string;
  readonly #listeners = new Set<() => void>();
  readonly #sums = new WalkSums();
  readonly #children = new ChildSums();
  readonly ended: Promise<void>;
  #state: WalkState = 'running';
  #endedMs: number | null = null;
  #error: AppError | null = null;
  #requests = 0;
  #pieces = 0;
  #isSequential = false;
  #onlyBelow: string | null = null;
  #changes = 0;
  #isOutdated = false;
  /** Consumers that follow the rows as they arrive wait for the event after each write. */
  readonly #writes = new PageWrites(() => this.#changed());
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
      ...this.#sums.status(),
      requests: this.#requests,
      pieces: this.#pieces,
      isSequential: this.#isSequential,
      error: this.#error,
      onlyBelow: this.#onlyBelow,
      takenAt: this.input.storedKeys?.takenAt ?? null,
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
    if (inRows.length > 0 && this.table.isOpen) this.#writes.add(this.#changeRows(inRows));
    else this.#changed();
  }

  async #changeRows(changes: readonly RowChange[]): Promise<void> {
    const { rows, sizeBytes, unknown } = await this.table.ask('change', { changes });
    this.#sums.matches += rows;
    this.#sums.matchedBytes += sizeBytes;
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
  async children(offset: number, limit: number, sort: WalkChildSort): Promise<WalkChildren> {
    if (!this.#tableHasChildren) return this.#children.read(offset, limit, sort);
    const rest = this.#children.take();
    if (rest.length > 0) {
      const added = this.table.ask('add', { rows: null, children: rest });
      this.#writes.add(added);
      await added;
    }
    return await this.table.ask('children', { offset, limit, sort });
  }

  /** Resolves once all rows so far are stored in the table. */
  async written(): Promise<void> {
    await this.#writes.all();
  }

  async #run(): Promise<void> {
    const { connectionId, storedKeys } = this.input;
    try {
      if (storedKeys !== null) {
        await this.#search(storedKeys);
        return;
      }
      const client = await this.#deps.clientOf(connectionId);
      await this.#listPermitted(client);
      await this.#writes.all();
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
    const { connectionId, prefix: requestedPrefix, mayNarrow } = this.input;
    const start = mayNarrow ? this.#deps.startOf(connectionId) : null;
    const prefixes = permittedPrefixes(this.input, start);
    for (const [at, prefix] of prefixes.entries())
      try {
        this.#onlyBelow = prefix === requestedPrefix ? null : prefix;
        await this.#list(client, prefix);
        return;
      } catch (thrown) {
        // After some keys were listed, the denial is not about the prefix, so a narrower prefix would not help.
        if (denialOf(thrown) === null || this.#sums.keys > 0 || at === prefixes.length - 1) throw thrown;
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
      room: async () => await this.#writes.haveRoom(),
    });
  }

  #readers({ pace }: S3Client): AtOnce {
    const { pool, readers } = this.#deps;
    if (readers !== undefined) return always(readers);
    return smallestLimit(pace, pool.room, this.#writes.pages);
  }

  /** Searches stored keys instead of listing them. */
  async #search(storedKeys: StoredKeys): Promise<void> {
    const { query, prefix } = this.input;
    for await (const found of storedKeys.search(query ?? everyObject, prefix, this.#stopping.signal)) {
      this.#countFound(found);
      await this.#writes.haveRoom();
    }
    await this.#writes.all();
    this.#end('done');
  }

  #countFound(found: FoundKeys): void {
    if (this.#state !== 'running') return;
    this.#sums.add(found);
    const { rows } = found;
    if (rows !== null) this.#writes.add(this.table.ask('add', { rows, children: [] }));
    this.#changed();
  }

  #count(page: PageSum): void {
    if (this.#state !== 'running') return;
    this.#sums.addPage(page);
    const { sink } = this.input;
    if (sink !== null) {
      if (page.keyPage !== null) this.#writes.add(sink.add(page.keyPage));
      this.#writes.adjust();
      this.#changed();
      return;
    }
    this.#children.add(page.children);
    if (page.rows !== null || this.#children.isFull) {
      const children = this.#children.isFull ? this.#children.take() : [];
      this.#tableHasChildren ||= children.length > 0;
      this.#writes.add(this.table.ask('add', { rows: page.rows, children }));
    }
    this.#writes.adjust();
    this.#changed();
  }

  #restart(): void {
    this.#deps.logger.info(
      'A service does not list keys in their order; the walk starts again, as one listing.',
      { bucket: this.input.bucket },
    );
    this.#isSequential = true;
    this.#sums.clear();
    this.#children.clear();
    this.#tableHasChildren = false;
    if (this.input.sink !== null) this.#writes.add(this.input.sink.restart());
    if (this.table.isOpen) this.#writes.add(this.table.ask('restart', { keepRows: this.input.keepsRows }));
    this.#changed();
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
