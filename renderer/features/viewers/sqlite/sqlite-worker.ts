import { serveTable } from '../columnar/table-server.ts';
import { fetchWasm } from '../frame/wasm.ts';

// WebAssembly works only here: the response with this script carries a CSP that allows it (electron/host/window-files.ts).
serveTable(async ({ sqlite }) => {
  const { openSqlite } = await import('./sqlite-file.ts');
  const engine = await fetchWasm(sqlite?.engine ?? '');
  return async (source, signal) =>
    await openSqlite(await source.read(0, source.sizeBytes, signal), {
      table: sqlite?.table ?? null,
      engine,
    });
});
