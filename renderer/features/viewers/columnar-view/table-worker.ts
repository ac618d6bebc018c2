import type { ToDecoder } from '../columnar/columnar-messages.ts';
import { tableServer } from '../columnar/table-server.ts';

const take = tableServer(
  async ({ format }) =>
    format === 'parquet'
      ? (await import('../parquet/parquet-file.ts')).openParquet
      : (await import('../arrow/arrow-file.ts')).openArrow,
  (message) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    self.postMessage(message);
  },
);

self.addEventListener('message', (event: MessageEvent<ToDecoder>) => {
  take(event.data);
});
