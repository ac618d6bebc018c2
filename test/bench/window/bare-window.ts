import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, preview } from 'vite';

const root = fileURLToPath(new URL('./bare-window', import.meta.url));
const outDir = fileURLToPath(new URL('../../../.cache/bench-bare-window', import.meta.url));

export interface BareWindow {
  /** The address of a page that lists folders of the service in React, with nothing else around. */
  readonly address: string;
  readonly close: () => Promise<void>;
}

/** Builds and serves a lower bound for the window's first rows: a page with the same rows, only React and a virtual list. */
export async function startBareWindow(endpoint: string): Promise<BareWindow> {
  await build({
    configFile: false,
    root,
    mode: 'production',
    logLevel: 'error',
    plugins: [react()],
    build: { outDir, emptyOutDir: true },
  });
  const server = await preview({
    configFile: false,
    root,
    logLevel: 'error',
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0 },
  });
  const [address] = server.resolvedUrls?.local ?? [];
  if (address === undefined) throw new Error('The bare window is served nowhere.');
  return { address: `${address}?endpoint=${encodeURIComponent(endpoint)}`, close: () => server.close() };
}
