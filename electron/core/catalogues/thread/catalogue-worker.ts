import { answerCalls } from '../../flow/answer-calls.ts';
import type { MethodOf } from '../../flow/worker-thread.ts';
import { CatalogueServer } from './catalogue-server.ts';

/** The servers of this thread by data folder. They hold folder sums, and read and write catalogues. */
const servers = new Map<string, CatalogueServer>();

answerCalls(
  ({ target: dir, method, input }) => {
    const server = servers.get(dir) ?? new CatalogueServer(dir);
    servers.set(dir, server);
    return server[method as MethodOf<CatalogueServer>](input as never);
  },
  // Loads the code that converts errors with the first failure.
  async (thrown) => (await import('../../store/sqlite-errors.ts')).appErrorOf(thrown),
);
