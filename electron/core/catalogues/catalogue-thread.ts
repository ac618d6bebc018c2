import { AppFailure, failure } from '../../../shared/errors.ts';
import { WorkerThread } from '../flow/worker-thread.ts';
import type {
  CatalogueResponse,
  CatalogueCall,
  CatalogueCalls,
  CatalogueQuestion,
} from './thread/catalogue-messages.ts';

/** The thread that holds folder sums, and reads and writes catalogues (stored listings). */
export interface CatalogueThread {
  ask<C extends CatalogueCall>(
    call: C,
    input: CatalogueCalls[C]['input'],
  ): Promise<CatalogueCalls[C]['output']>;
  close(): Promise<void>;
}

/** Heap limits of the thread. The columns of large buckets are outside the heap, so these limits do not apply to them. */
const limits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 1024 };
const url = new URL('./thread/catalogue-worker.ts', import.meta.url);
const diedMessage = 'The thread that holds the catalogues ended unexpectedly.';

/** Creates the thread. It starts with the first call and does not keep the process alive while idle. */
export function createCatalogueThread(dir: string): CatalogueThread {
  let thread: WorkerThread<CatalogueQuestion, CatalogueResponse> | null = null;
  let nextId = 1;
  let isClosed = false;
  return {
    ask: async (call, input) => {
      if (isClosed) throw failure('cancelled', 'Cooper is quitting.');
      thread ??= new WorkerThread({ url, limits, diedMessage, onDeath: () => (thread = null) });
      const page = call === 'add' ? (input as CatalogueCalls['add']['input']).page : null;
      const response = await thread.ask(
        { id: nextId++, dir, call, input },
        page === null ? [] : [page.buffer],
      );
      if (response.kind === 'failed') throw new AppFailure(response.error);
      return response.output;
    },
    close: async () => {
      isClosed = true;
      await thread?.end(failure('cancelled', 'Cooper is quitting.'));
    },
  };
}
