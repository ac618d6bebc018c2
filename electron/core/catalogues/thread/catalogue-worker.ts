import { parentPort } from 'node:worker_threads';
import type { CatalogueResponse, CatalogueQuestion } from './catalogue-messages.ts';
import { CatalogueServer } from './catalogue-server.ts';

/** The port of this thread, which holds folder sums, and reads and writes catalogues. */
const port = parentPort;
if (port === null) throw new Error('catalogue-worker runs as a worker thread only.');

const servers = new Map<string, CatalogueServer>();

port.on('message', (question: CatalogueQuestion) => void answer(question));

async function answer({ id, dir, call, input }: CatalogueQuestion): Promise<void> {
  try {
    const server = servers.get(dir) ?? new CatalogueServer(dir);
    servers.set(dir, server);
    const output = await server.answer(call, input);
    port?.postMessage({ id, kind: 'done', output } satisfies CatalogueResponse);
  } catch (thrown) {
    // Loads the code that converts errors with the first failure.
    const { appErrorOf: errorOf } = await import('../../store/sqlite-errors.ts');
    port?.postMessage({ id, kind: 'failed', error: errorOf(thrown) } satisfies CatalogueResponse);
  }
}
