import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { workerEntries, workersInCore } from '../../../build/vite/hosts.ts';

/** Builds a benchmark's program to JavaScript as in a release, because stripping types at run time would add to its memory. */
export async function buildChild(source: URL): Promise<string> {
  const name = path.basename(source.pathname, '.ts');
  const outDir = fileURLToPath(new URL(`../../../.cache/bench-${name}`, import.meta.url));
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: [workersInCore()],
    // Bundles packages, so that only used code is loaded, as in the hosts.
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node24',
      rolldownOptions: {
        input: { 'bench/child': fileURLToPath(source), ...workerEntries() },
        platform: 'node',
        output: { entryFileNames: '[name].js', chunkFileNames: 'core/[name]-[hash].js' },
      },
    },
  });
  return path.join(outDir, 'bench', 'child.js');
}
