import { toAppError } from '../../../shared/errors.ts';
import { ObjectThread, type MethodInput, type MethodOf, type MethodOutput } from '../flow/worker-thread.ts';
import type { WalkQuery } from '../../../shared/models/walks.ts';
import type { FoundKeys } from '../walks/walk-source.ts';
import type { CatalogueServer } from './thread/catalogue-server.ts';

type CatalogueMethod = MethodOf<CatalogueServer>;
export type CatalogueInput<M extends CatalogueMethod> = MethodInput<CatalogueServer, M>;
export type CatalogueOutput<M extends CatalogueMethod> = MethodOutput<CatalogueServer, M>;

/** The thread that holds folder sums, and reads and writes catalogues (stored listings). */
export interface CatalogueThread {
  ask<M extends CatalogueMethod>(method: M, input: CatalogueInput<M>): Promise<CatalogueOutput<M>>;
  close(): Promise<void>;
}

/**
 * Creates the thread. It starts with the first call and does not keep the process alive while idle. `onGone` is called when a call
 * fails because its catalogue was removed.
 */
export function createCatalogueThread(dir: string, onGone: () => void): CatalogueThread {
  const thread = new ObjectThread<CatalogueServer>({
    url: new URL('./thread/catalogue-worker.ts', import.meta.url),
    // The columns of large buckets are outside the heap, so these limits do not apply to them.
    limits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 1024 },
    diedMessage: 'The thread that holds the catalogues ended unexpectedly.',
  });
  return {
    ask: async (method, input) => {
      try {
        return await thread.ask(dir, method, input);
      } catch (thrown) {
        if (toAppError(thrown).reason === 'catalogue-gone') onGone();
        throw thrown;
      }
    },
    close: async () => await thread.close(),
  };
}

const foldersPerPiece = 2000;

/** Exports the sums of a folder and all its subfolders in chunks. */
export async function* folderChunks(
  thread: CatalogueThread,
  sumsId: string,
  folder: string,
  format: 'csv' | 'json',
): AsyncGenerator<CatalogueOutput<'export'>, void, void> {
  for (let from: number | null = 0; from !== null;) {
    const request = { sumsId, folder, format, from, limit: foldersPerPiece };
    const piece: CatalogueOutput<'export'> = await thread.ask('export', request);
    yield piece;
    from = piece.next;
  }
}

/** Searches the keys of a catalogue below a prefix, a time slice at a time. Throws the signal's reason if aborted. */
export async function* searchCatalogue(
  thread: CatalogueThread,
  catalogueId: string,
  searchId: string,
  query: WalkQuery,
  prefix: string,
  signal: AbortSignal,
): AsyncGenerator<FoundKeys, void, void> {
  try {
    for (let from: number | null = 0; from !== null;) {
      signal.throwIfAborted();
      const request: CatalogueInput<'search'> = { searchId, catalogueId, prefix, query, from };
      const turn: CatalogueOutput<'search'> = await thread.ask('search', request);
      yield turn;
      from = turn.next;
    }
  } finally {
    await thread.ask('searchOver', { searchId });
  }
}
