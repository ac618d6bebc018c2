import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** A program of the bench as it is shipped: JavaScript. The memory of stripping types is none of its own. */
export async function buildChild(source: string): Promise<string> {
  const name = path.basename(source, '.ts');
  const outDir = fileURLToPath(new URL(`../../.cache/bench-${name}`, import.meta.url));
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'worker-beside',
        enforce: 'pre',
        transform: (code) => code.replace(`new URL('./hash-worker.ts'`, `new URL('./hash-worker.js'`),
      },
    ],
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node24',
      rolldownOptions: {
        input: {
          child: fileURLToPath(new URL(source, import.meta.url)),
          'hash-worker': fileURLToPath(
            new URL('../../electron/core/uploads/hash-worker.ts', import.meta.url),
          ),
        },
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  return path.join(outDir, 'child.js');
}
