import { ObjectThread, type MethodInput, type MethodOf, type MethodOutput } from '../flow/worker-thread.ts';
import type { CatalogueServer } from './thread/catalogue-server.ts';

type CatalogueMethod = MethodOf<CatalogueServer>;
export type CatalogueInput<M extends CatalogueMethod> = MethodInput<CatalogueServer, M>;
export type CatalogueOutput<M extends CatalogueMethod> = MethodOutput<CatalogueServer, M>;

/** The thread that holds folder sums, and reads and writes catalogues (stored listings). */
export interface CatalogueThread {
  ask<M extends CatalogueMethod>(method: M, input: CatalogueInput<M>): Promise<CatalogueOutput<M>>;
  close(): Promise<void>;
}

/** Creates the thread. It starts with the first call and does not keep the process alive while idle. */
export function createCatalogueThread(dir: string): CatalogueThread {
  const thread = new ObjectThread<CatalogueServer>({
    url: new URL('./thread/catalogue-worker.ts', import.meta.url),
    // The columns of large buckets are outside the heap, so these limits do not apply to them.
    limits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 1024 },
    diedMessage: 'The thread that holds the catalogues ended unexpectedly.',
  });
  return {
    ask: async (method, input) => await thread.ask(dir, method, input),
    close: async () => await thread.close(),
  };
}
