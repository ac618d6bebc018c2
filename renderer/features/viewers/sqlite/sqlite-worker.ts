import type { ToDecoder } from '../columnar/columnar-messages.ts';
import { tableServer } from '../columnar/table-server.ts';
import { fetchWasm } from '../frame/wasm.ts';

// WebAssembly works only here: the response with this script carries a CSP that allows it (electron/host/window-files.ts).

const take = tableServer(
  async ({ sqlite }) => {
    const { openSqlite } = await import('./sqlite-file.ts');
    const engine = await fetchWasm(sqlite?.engine ?? '');
    return async (source, signal) =>
      await openSqlite(await source.read(0, source.sizeBytes, signal), {
        table: sqlite?.table ?? null,
        engine,
      });
  },
  (message) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    self.postMessage(message);
  },
);

self.addEventListener('message', (event: MessageEvent<ToDecoder>) => {
  take(event.data);
});
