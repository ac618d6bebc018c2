import { globSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InlineConfig, Plugin } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));

export type HostName = 'browser' | 'desktop';

/** Threads are entries of their own; source names them `new URL('./…-worker.ts', import.meta.url)`. */
export function workerEntries(): Record<string, string> {
  const files = globSync('electron/**/{*-worker,worker-main}.ts', { cwd: root });
  return Object.fromEntries(files.map((file) => [path.basename(file, '.ts'), path.join(root, file)]));
}

const workerAddress =
  /new URL\(\s*(['"])\.{1,2}\/(?:[^'"]*\/)?([\w-]+-worker|worker-main)\.ts\1\s*,\s*import\.meta\.url\s*,?\s*\)/g;

/** All built files of a host are in one folder, so a worker is beside any chunk that names it. */
export function workersBeside(): Plugin {
  return {
    name: 'cooper:workers-beside',
    enforce: 'pre',
    transform: (code) => {
      if (!workerAddress.test(code)) return null;
      workerAddress.lastIndex = 0;
      return { code: code.replace(workerAddress, `new URL('./$2.js', import.meta.url)`), map: null };
    },
  };
}

/** `undici` in the parts that are used. Tests hold the built program to the same requests as the sources. */
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

/** A host with everything it needs in its own folder: it runs without node_modules. */
export function hostConfig(host: HostName): InlineConfig {
  return {
    ...nodeConfig(`dist/${host}`),
    plugins: [workersBeside(), undiciInParts()],
    build: {
      ...buildOptions(`dist/${host}`, true),
      rolldownOptions: {
        ...inputOptions,
        input: {
          main: path.join(root, `electron/${host}/main.ts`),
          ...commandEntry(host),
          ...workerEntries(),
        },
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          minify: withoutSpace,
        },
      },
    },
  };
}

/** Runs in the sandbox, which knows CommonJS and a single file only. */
export function preloadConfig(): InlineConfig {
  return {
    ...nodeConfig('dist/desktop'),
    build: {
      ...buildOptions('dist/desktop', false),
      rolldownOptions: {
        ...inputOptions,
        input: { preload: path.join(root, 'electron/desktop/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false, minify: withoutSpace },
      },
    },
  };
}

/** The command that an installed package gives; it starts either host, and is beside the browser's. */
function commandEntry(host: HostName): Record<string, string> {
  return host === 'browser' ? { command: path.join(root, 'bin/command.ts') } : {};
}

/** Half the size. Only names of local values are shortened: functions and classes keep theirs, so that the log can be read. */
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

function buildOptions(outDir: string, emptyOutDir: boolean): NonNullable<InlineConfig['build']> {
  return {
    outDir: path.join(root, outDir),
    emptyOutDir,
    ssr: true,
    target: 'node24',
    minify: false,
    sourcemap: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 10_000,
  };
}
