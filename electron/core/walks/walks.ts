import path from 'node:path';
import { failure } from '../../../shared/errors.ts';
import {
  everyObject,
  type WalkChildren,
  type WalkChildSort,
  type WalkExport,
  type WalkQuery,
  type ExportFormat,
  type WalkRows,
  type WalkSort,
  type WalkStatus,
} from '../../../shared/models/walks.ts';
import type { StartPlace } from '../../../shared/models/connection.ts';
import type { Holding, SmallestSize } from '../../../shared/models/prices.ts';
import type { FolderRest } from '../../../shared/models/objects.ts';
import { nextChange } from '../flow/deferred-work.ts';
import type { Ports } from '../ports.ts';
import type { ListedObject } from '../s3/model/listing-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import type { SelectionItem } from '../../../shared/models/operations.ts';
import { manifestChunks, type ChosenKeysPlace } from './chosen-keys.ts';
import type { ExportChunk } from './tables/export-text.ts';
import { createExports, type WalkExports } from './exports.ts';
import { BadPattern, compileQuery } from './pages/matcher.ts';
import { createPagePool, type PagePoolOptions } from './pages/page-pool.ts';
import type { KeyChange } from './tables/changed-rows.ts';
import { createTableThread, exportOf } from './tables/table-thread.ts';
import { restOfFolder, type FolderRestInput } from './rest-of-folder.ts';
import { Walk, type WalkInput } from './walk.ts';
import { foundPages, rowsInOrder } from './walk-rows.ts';
import type {
  StoredKeys,
  KeySink,
  KeyWalk,
  WalkPlace,
  WalkProgress,
  WalkResults,
  WalkSource,
} from './walk-source.ts';

export interface WalksDeps {
  readonly ports: Pick<Ports, 'clock' | 'random' | 'logger' | 'dialogs'>;
  readonly dataDir: string;
  readonly client: (connectionId: string) => Promise<S3Client>;
  /** Returns the start folder of a connection; null if it has none. */
  readonly startOf: (connectionId: string) => StartPlace | null;
  /** The number of key ranges listed in parallel. If absent, it follows the measured pace of the service. */
  readonly readers?: number;
  readonly pool?: PagePoolOptions;
}

/** The chosen items to export as a manifest. */
export interface ManifestRequest extends ChosenKeysPlace {
  /** The name of the folder, used for the file name. */
  readonly folder: string;
  readonly items: readonly SelectionItem[];
  readonly title: string;
}

interface Range {
  readonly offset: number;
  readonly limit: number;
}

/** Searches below a prefix, computes sizes of folders, and lists keys for other parts of the core. Results stay in the core. */
export interface Walks {
  /** Starts a search and returns its id. With `storedKeys`, it searches these instead of listing the service. */
  start(input: WalkPlace & { readonly query: WalkQuery | null }, storedKeys?: StoredKeys): string;
  /** Lists all keys below a prefix into a sink, in order to fill a map and a catalogue. The window does not show this listing. */
  listKeys(place: WalkPlace, sink: KeySink): KeyWalk;
  watch(walkId: string, signal: AbortSignal): AsyncGenerator<WalkStatus, void, void>;
  list(): WalkStatus[];
  read(walkId: string, range: Range, sort: WalkSort): Promise<WalkRows>;
  children(walkId: string, range: Range, sort: WalkChildSort): Promise<WalkChildren>;
  /** Returns the found objects grouped by storage class and month, as needed to estimate their price. */
  holdings(walkId: string, smallest: readonly SmallestSize[]): Promise<readonly Holding[]>;
  stop(walkId: string): void;
  closeWalk(walkId: string): Promise<void>;
  /** Applies changes that this program made to keys of a bucket to the results of all searches in it. */
  changeKeys(place: Pick<WalkPlace, 'connectionId' | 'bucket'>, changes: readonly KeyChange[]): void;
  /** Returns those of these keys that are still results of the walk. */
  present(walkId: string, keys: readonly string[]): Promise<readonly string[]>;
  export(
    input: { walkId: string; format: ExportFormat; sort: WalkSort; title: string },
    signal: AbortSignal,
  ): Promise<WalkExport>;
  /** Exports a manifest of the chosen keys and all keys below the chosen folders. They are listed while the file is written. */
  manifest(input: ManifestRequest, signal: AbortSignal): Promise<WalkExport>;
  /** Lists the pages of a folder after a page token, many in parallel. */
  restOfFolder(
    input: FolderRestInput & { readonly connectionId: string },
    signal: AbortSignal,
  ): AsyncGenerator<FolderRest, void, void>;
  /** The access to listings and search results for other parts of the core. */
  readonly source: WalkSource;
  /** The pending exports, for the route that streams them to a browser. */
  readonly exports: WalkExports;
  close(): Promise<void>;
}

const watchEveryMs = 250;

async function dropWalk(walk: Walk): Promise<void> {
  walk.stop();
  await walk.ended;
  if (walk.table.isOpen) await walk.table.ask('drop', null);
}

export function createWalks(deps: WalksDeps): Walks {
  const { clock, random, logger } = deps.ports;
  const pool = createPagePool(deps.pool);
  const tables = createTableThread(path.join(deps.dataDir, 'walks'));
  const walks = new Map<string, Walk>();
  /** Listings started by other parts of the core, which the window does not show. */
  const hiddenWalks = new Set<Walk>();
  const exports = createExports({ clock, dialogs: deps.ports.dialogs });

  const make = (
    place: WalkPlace,
    options: Pick<WalkInput, 'query'> & Partial<Omit<WalkInput, 'walkId' | keyof WalkPlace>>,
  ): Walk => {
    const { connectionId, bucket, prefix } = place;
    const walkId = random.id();
    const defaults = { keepsRows: false, mayNarrow: false, storedKeys: null, sink: null };
    return new Walk(
      { walkId, connectionId, bucket, prefix, ...defaults, ...options },
      {
        clock,
        logger,
        clientOf: deps.client,
        startOf: deps.startOf,
        pool,
        table: tables.open(walkId),
        readers: deps.readers,
      },
    );
  };

  const walkOf = (walkId: string): Walk => {
    const walk = walks.get(walkId);
    if (walk !== undefined) return walk;
    throw failure('not-found', 'The results of this search no longer exist. Search again.', {
      reason: 'walk-gone',
      retry: 'after-fix',
    });
  };

  async function* pages(
    place: WalkPlace,
    signal: AbortSignal,
    onProgress?: (progress: WalkProgress) => void,
  ): AsyncGenerator<readonly ListedObject[], void, void> {
    signal.throwIfAborted();
    const walk = make(place, { query: everyObject, keepsRows: true });
    hiddenWalks.add(walk);
    try {
      yield* foundPages(walk, signal, onProgress);
    } finally {
      hiddenWalks.delete(walk);
      await dropWalk(walk);
    }
  }

  const results = (walkId: string): WalkResults => rowsInOrder(walkOf(walkId));

  return {
    start: ({ query, ...place }, storedKeys) => {
      // Rejects an invalid pattern before any request is sent.
      if (query !== null) checkQuery(query, place.prefix);
      // A sum must cover the whole prefix, so only searches may be narrowed to the start folder.
      const walk = make(place, { query, mayNarrow: query !== null, storedKeys: storedKeys ?? null });
      walks.set(walk.input.walkId, walk);
      return walk.input.walkId;
    },

    listKeys: (place, sink) => {
      const walk = make(place, { query: null, sink });
      hiddenWalks.add(walk);
      void walk.ended.then(() => hiddenWalks.delete(walk));
      return walk;
    },

    watch: async function* (walkId, signal) {
      const walk = walkOf(walkId);
      // Counts include all changes of keys so far. The status itself reports a failure to store rows.
      if (walk.state !== 'running') await walk.written().catch(() => undefined);
      for (;;) {
        const status = walk.status();
        const changed = status.state === 'running' ? nextChange(walk, signal) : null;
        yield status;
        if (status.state !== 'running' || signal.aborted) return;
        await changed;
        // A walk that has already ended reports its last status without waiting for the interval.
        if (walk.state !== 'running') continue;
        await Promise.race([walk.ended, clock.sleep(watchEveryMs, signal)]).catch(() => undefined);
        if (signal.aborted) return;
      }
    },

    list: () => [...walks.values()].map((walk) => walk.status()),

    read: async (walkId, range, sort) => {
      const walk = walkOf(walkId);
      if (!walk.table.isOpen || walk.input.query === null) return { rows: [], total: 0 };
      return await walk.table.ask('read', { ...range, sort });
    },

    children: async (walkId, { offset, limit }, sort) => await walkOf(walkId).children(offset, limit, sort),

    holdings: async (walkId, smallest) => {
      const walk = walkOf(walkId);
      await walk.written();
      return walk.table.isOpen ? await walk.table.ask('holdings', { smallest }) : [];
    },

    stop: (walkId) => walkOf(walkId).stop(),

    changeKeys: ({ connectionId, bucket }, changes) => {
      for (const walk of walks.values())
        if (walk.input.connectionId === connectionId && walk.input.bucket === bucket)
          walk.changeKeys(changes);
    },

    present: async (walkId, keys) => {
      const walk = walkOf(walkId);
      return walk.table.isOpen ? await walk.table.ask('present', { keys }) : [];
    },

    closeWalk: async (walkId) => {
      const walk = walkOf(walkId);
      walks.delete(walkId);
      await dropWalk(walk);
    },

    export: async ({ walkId, ...exportRequest }, signal) => {
      const walk = walkOf(walkId);
      await walk.written();
      const { sort, ...request } = exportRequest;
      const { bucket, storedKeys } = walk.input;
      const format = request.format === 'csv-bom' ? 'csv' : request.format;
      const table = { format, bucket, hasEtags: storedKeys === null };
      const chunks = (): AsyncIterable<ExportChunk> => exportOf(walk.table, table, sort);
      return await exports.run({ ...request, place: walk.input, chunks }, signal);
    },

    manifest: async ({ connectionId, bucket, folder, items, title }, signal) => {
      const place = { connectionId, bucket };
      const chunks = () => manifestChunks({ pages, results }, place, items);
      const target = { bucket, prefix: folder };
      return await exports.run({ place: target, format: 'manifest', title, chunks }, signal);
    },

    restOfFolder: async function* ({ connectionId, ...input }, signal) {
      const client = await deps.client(connectionId);
      yield* restOfFolder({ client, pool, walkId: random.id() }, input, signal);
    },

    source: { pages, results },
    exports,

    close: async () => {
      const all = [...walks.values(), ...hiddenWalks];
      walks.clear();
      for (const walk of all) walk.stop();
      await pool.close();
      await Promise.all(all.map((walk) => walk.ended));
      await tables.close();
    },
  };
}

function checkQuery(query: WalkQuery, prefix: string): void {
  try {
    compileQuery(query, prefix);
  } catch (thrown) {
    if (!(thrown instanceof BadPattern)) throw thrown;
    throw failure('invalid-argument', thrown.message, { reason: 'pattern-invalid', retry: 'after-fix' });
  }
}
