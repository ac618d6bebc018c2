import { Worker } from 'node:worker_threads';
import { AppFailure, failure } from '../../../shared/errors.ts';
import type {
  CatalogueAnswer,
  CatalogueCall,
  CatalogueCalls,
  CatalogueQuestion,
} from './thread/catalogue-messages.ts';

/** The thread that holds sums and catalogues. */
export interface CatalogueThread {
  ask<C extends CatalogueCall>(
    call: C,
    input: CatalogueCalls[C]['input'],
  ): Promise<CatalogueCalls[C]['output']>;
  close(): Promise<void>;
}

interface Asked {
  readonly resolve: (output: CatalogueCalls[CatalogueCall]['output']) => void;
  readonly reject: (thrown: unknown) => void;
}

/** The names of a million folders are objects of the heap; the columns of numbers are not. */
const threadLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 1024 };
const workerUrl = new URL('./thread/catalogue-worker.ts', import.meta.url);

/** It starts with the first question, and does not keep the program alive when it has none. */
export function createCatalogueThread(dir: string): CatalogueThread {
  const asked = new Map<number, Asked>();
  let worker: Worker | null = null;
  let nextId = 1;
  let isClosed = false;

  const fail = (thrown: Error): void => {
    for (const { reject } of asked.values()) reject(thrown);
    asked.clear();
  };

  const start = (): Worker => {
    const made = new Worker(workerUrl, { resourceLimits: threadLimits });
    made.unref();
    made.on('message', (answer: CatalogueAnswer) => {
      const waiting = asked.get(answer.id);
      asked.delete(answer.id);
      if (asked.size === 0) made.unref();
      if (answer.kind === 'done') waiting?.resolve(answer.output);
      else waiting?.reject(new AppFailure(answer.error));
    });
    made.on('error', (thrown) => {
      worker = null;
      fail(
        failure('internal', 'The thread that holds the catalogues ended unexpectedly.', { cause: thrown }),
      );
    });
    return made;
  };

  const ask = async <C extends CatalogueCall>(
    call: C,
    input: CatalogueCalls[C]['input'],
  ): Promise<CatalogueCalls[C]['output']> => {
    if (isClosed) throw failure('cancelled', 'The program ends.');
    worker ??= start();
    const question: CatalogueQuestion<C> = { id: nextId, dir, call, input };
    nextId += 1;
    const { promise, resolve, reject } = Promise.withResolvers<CatalogueCalls[CatalogueCall]['output']>();
    asked.set(question.id, { resolve, reject });
    worker.ref();
    const page = call === 'add' ? (input as CatalogueCalls['add']['input']).page : null;
    worker.postMessage(question, page === null ? [] : [page.buffer]);
    return await promise;
  };

  return {
    ask,
    close: async () => {
      isClosed = true;
      fail(failure('cancelled', 'The program ends.'));
      await worker?.terminate();
    },
  };
}
