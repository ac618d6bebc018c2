import type { ToDecoder } from '../columnar/messages.ts';
import { tableServer } from '../columnar/table-server.ts';

const take = tableServer(
  async () => (await import('../parquet/parquet-file.ts')).openParquet,
  (message) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    self.postMessage(message);
  },
);

self.addEventListener('message', (event: MessageEvent<ToDecoder>) => {
  take(event.data);
});
