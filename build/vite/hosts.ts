import { globSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InlineConfig, Plugin } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the build entries of worker threads; source files refer to them as `new URL('./…-worker.ts', import.meta.url)`. */
export function workerEntries(): Record<string, string> {
  const files = globSync('electron/**/{*-worker,worker-main}.ts', { cwd: root });
  return Object.fromEntries(
    files.map((file) => [`core/${path.basename(file, '.ts')}`, path.join(root, file)]),
  );
}

const workerAddress =
  /new URL\(\s*(['"])\.{1,2}\/(?:[^'"]*\/)?([\w-]+-worker|worker-main)\.ts\1\s*,\s*import\.meta\.url\s*,?\s*\)/g;

/** Rewrites worker URLs. Workers are built into `dist/core`, and their importers into the same folder or one next to it. */
export function workersInCore(): Plugin {
  return {
    name: 'cooper:workers-in-core',
    enforce: 'pre',
    transform: (code) => {
      if (!workerAddress.test(code)) return null;
      workerAddress.lastIndex = 0;
      return { code: code.replace(workerAddress, `new URL('../core/$2.js', import.meta.url)`), map: null };
    },
  };
}

/** Bundles only the used modules of `undici`. Tests check that the built program sends the same requests as the sources. */
function undiciInParts(): Plugin {
  return {
    name: 'cooper:undici-in-parts',
    enforce: 'pre',
    resolveId: (id, importer) => {
      if (id === 'undici') return path.join(root, 'build/vite/undici-parts.js');
      const isUndici = importer?.replaceAll('\\', '/').includes('/node_modules/undici/lib/') === true;
      const isFetch = /^\.\.\/web\/(?:fetch\/(?:body\.js|formdata)|webidl)$/u.test(id);
      return isUndici && isFetch ? path.join(root, 'build/vite/undici-without-fetch.js') : null;
    },
  };
}

/** Returns the build of both hosts, with shared code in `core`. They run without node_modules. */
export function hostsConfig(): InlineConfig {
  return {
    ...nodeConfig('dist'),
    plugins: [workersInCore(), undiciInParts()],
    build: {
      ...buildOptions('dist'),
      rolldownOptions: {
        ...inputOptions,
        input: {
          'desktop/main': path.join(root, 'electron/desktop/main.ts'),
          'browser/main': path.join(root, 'electron/browser/main.ts'),
          // The command of an installed package, which starts either host.
          'browser/command': path.join(root, 'bin/command.ts'),
          // Run by `npm start` in a clone of the repository.
          'start/start': path.join(root, 'build/scripts/start-built.ts'),
          ...workerEntries(),
        },
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: ({ moduleIds }) => `${folderOf(moduleIds)}/[name]-[hash].js`,
          minify: withoutSpace,
        },
      },
    },
  };
}

/** Returns the build of the preload. The sandbox supports only CommonJS in a single file. */
export function preloadConfig(): InlineConfig {
  return {
    ...nodeConfig('dist/desktop'),
    build: {
      ...buildOptions('dist/desktop'),
      rolldownOptions: {
        ...inputOptions,
        input: { preload: path.join(root, 'electron/desktop/page/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false, minify: withoutSpace },
      },
    },
  };
}

/**
 * Returns the output folder of a chunk. Code of only one host goes into that host's folder, because the other host is packaged
 * without it, and because it refers to files in that folder.
 */
function folderOf(moduleIds: readonly string[]): 'desktop' | 'browser' | 'start' | 'core' {
  const names = moduleIds.map((id) => path.relative(root, id).replaceAll('\\', '/'));
  if (names.some((name) => name.startsWith('build/scripts/start-'))) return 'start';
  if (names.some((name) => name.startsWith('electron/desktop/'))) return 'desktop';
  return names.some((name) => name.startsWith('electron/browser/')) ? 'browser' : 'core';
}

/** Minifies the code to half its size. Functions and classes keep their names, so that the log stays readable. */
const withoutSpace = {
  compress: { keepNames: { function: true, class: true } },
  mangle: { keepNames: { function: true, class: true } },
  codegen: true,
} as const;

const inputOptions = {
  external: (id: string) => id === 'electron' || isBuiltin(id),
  platform: 'node',
} as const;

function nodeConfig(outDir: string): InlineConfig {
  return {
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    cacheDir: path.join(root, '.cache/vite', outDir),
    ssr: { noExternal: true, target: 'node' },
  };
}

function buildOptions(outDir: string): NonNullable<InlineConfig['build']> {
  return {
    outDir: path.join(root, outDir),
    emptyOutDir: false,
    ssr: true,
    target: 'node24',
    minify: false,
    sourcemap: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 10_000,
  };
}
