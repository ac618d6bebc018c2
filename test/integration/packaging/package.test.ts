import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { extractAll, listPackage } from '@electron/asar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packedBinary } from '../../../build/scripts/release/dist-plan.ts';
import { laterTexts } from '../../../shared/messages/en/later.ts';
import { firstLoadBytes, firstLoadScripts } from '../../support/window/first-load.ts';
import { fusesOf, makeElectronFolder, shippedFuses } from '../../support/window/electron-folder.ts';
import { runDesktop, type Report } from '../desktop/stand-in.ts';

const { load } = createRequire(import.meta.url)('js-yaml') as { readonly load: (text: string) => unknown };
const root = fileURLToPath(new URL('../../..', import.meta.url));
/** The maximum size of the package. Most of it is viewers (PDF, Parquet, YAML, Markdown, …), which are loaded on demand. */
const maxBytes = 11_000_000;

let dir: string;
let electron: string;
let output: string;
let unpacked: string;
let archive: string;

beforeAll(async () => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'cooper-dist-'));
  electron = path.join(dir, 'electron');
  output = path.join(dir, 'release');
  makeElectronFolder(electron);
  const ran = await dist(['--linux', 'dir', '--x64'], { COOPER_ELECTRON_DIST: electron });
  if (ran.status !== 0) throw new Error(ran.text);
  // The tests with a real Electron use the same path.
  unpacked = path.dirname(packedBinary(output, 'linux', 'x64'));
  archive = path.join(unpacked, 'resources', 'app.asar');
}, 180_000);
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

async function dist(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly status: number | null; readonly text: string }> {
  const child = spawn(process.execPath, [path.join(root, 'build/scripts/run.mjs'), 'dist', ...args], {
    env: { ...process.env, NODE_ENV: undefined, VITEST: undefined, COOPER_DIST_OUTPUT: output, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, text };
}

function archiveNames(): readonly string[] {
  return listPackage(archive, { isPack: false }).map((name) => name.replaceAll('\\', '/').slice(1));
}

describe('the package', () => {
  test('contains an archive of built files and a manifest, and nothing else', () => {
    const names = archiveNames();
    const foreign = names.filter(
      (name) =>
        !/^(?:package\.json|dist|dist\/(?:core|desktop|window)(?:\/.*)?)$/.test(name) ||
        /node_modules|\.tsx?$|\.map$|\.test\./.test(name),
    );
    expect(foreign).toEqual([]);
    expect(names).toEqual(
      expect.arrayContaining([
        'dist/desktop/main.js',
        'dist/desktop/preload.cjs',
        'dist/core/hash-worker.js',
        'dist/core/worker-main.js',
        'dist/window/index.html',
        'dist/window/third-party-licences.txt',
      ]),
    );
  });

  test('has no part outside the archive, where its integrity would not be checked', () => {
    const resources = readdirSync(path.join(unpacked, 'resources'));
    expect(resources).toEqual(['app.asar']);
  });

  test('adds at most 11 MB to Electron', () => {
    expect(bytesOf(unpacked) - bytesOf(electron) - pdfBytes()).toBeLessThanOrEqual(maxBytes);
    expect(statSync(archive).size).toBeGreaterThan(1_000_000);
  });

  test('builds both hosts and the window into at most 11 MB by sharing code', () => {
    expect(bytesOf(path.join(root, 'dist')) - pdfBytes()).toBeLessThanOrEqual(maxBytes);
  });

  test('contains at most 2.6 MB of PDF decoders, fonts and character maps', () => {
    expect(pdfBytes()).toBeGreaterThan(1_000_000);
    expect(pdfBytes()).toBeLessThanOrEqual(2_600_000);
  });

  test('has every fuse set as configured', () => {
    // runAsNode, cookieEncryption, nodeOptions, nodeCliInspect, asarIntegrity, onlyLoadAppFromAsar, v8Snapshot, fileProtocol
    expect(fusesOf(path.join(unpacked, 'cooper'))).toBe('01001100');
    expect(fusesOf(path.join(electron, 'electron'))).toBe(shippedFuses);
  });

  test('checks for no updates if built without a repository', () => {
    expect(existsSync(path.join(unpacked, 'resources', 'app-update.yml'))).toBe(false);
  });

  test('handles s3:// links on every system', () => {
    const config = load(readFileSync(path.join(root, 'build/electron-builder.yml'), 'utf8')) as {
      readonly protocols: readonly { readonly schemes: readonly string[] }[];
      readonly nsis: { readonly include: string };
    };
    expect(config.protocols.flatMap(({ schemes }) => schemes)).toEqual(['s3']);
    // electron-builder derives MimeType and CFBundleURLTypes from `protocols`. On Windows, the installer writes the key itself.
    const script = readFileSync(path.join(root, config.nsis.include), 'utf8');
    const macros = ['customInstall', 'customUnInstall'].map((name) => script.includes(`!macro ${name}`));
    expect(macros).toEqual([true, true]);
    expect(script).toContain(String.raw`DeleteRegKey SHELL_CONTEXT "Software\Classes\s3"`);
  });

  test("contains Electron's licences", () => {
    expect(readdirSync(unpacked)).toEqual(
      expect.arrayContaining(['LICENSE.electron.txt', 'LICENSES.chromium.html']),
    );
  });
});

describe('the packed archive, without other packages,', () => {
  let report: Report;
  beforeAll(async () => {
    const app = path.join(dir, 'app');
    extractAll(archive, app);
    const ran = await runDesktop({ dataDir: path.join(dir, 'data'), dist: path.join(app, 'dist/desktop') });
    if (ran.report === null) throw new Error(ran.output);
    ({ report } = ran);
  }, 90_000);

  test('opens the window with the preload of the archive', () => {
    const window = report.record.find(({ call }) => call === 'new BrowserWindow');
    expect(window?.args[0]).toMatchObject({
      webPreferences: { preload: path.join(dir, 'app', 'dist', 'desktop', 'preload.cjs') },
    });
  });

  test('serves the window, whose port reaches the core and its threads', () => {
    expect(report.scheme['page']).toMatchObject({ status: 200 });
    expect(report.preload.info).toMatchObject({ host: 'desktop' });
    const { commonPrefixes, objects } = report.preload.page;
    expect(commonPrefixes.length + objects.length).toBeGreaterThan(0);
    expect(report.exitStatus).toBe(0);
  });

  test('loads less than 400 kB gzipped at first, with viewers on demand', () => {
    const bytes = firstLoadBytes(path.join(dir, 'app', 'dist', 'window'));
    expect(bytes).toBeLessThan(400_000);
    expect(bytes).toBeGreaterThan(50_000);
  });

  test('loads few files at first, since each request takes longer than its bytes', () => {
    expect(firstLoadScripts(path.join(dir, 'app', 'dist', 'window')).length).toBeLessThan(8);
  });

  test('uses no text at first load that arrives later', () => {
    const areas = Object.keys(laterTexts).join('|');
    const used = new RegExp(`['"\`](?:${areas})\\.[\\w$]+`, 'gu');
    const window = path.join(dir, 'app', 'dist', 'window');
    const found = firstLoadScripts(window).flatMap((file) => readFileSync(file, 'utf8').match(used) ?? []);
    expect(found).toEqual([]);
  });

  test('has a manifest with the main process and without development fields', () => {
    const manifest = JSON.parse(readFileSync(path.join(dir, 'app', 'package.json'), 'utf8')) as object;
    expect(manifest).toMatchObject({ main: 'dist/desktop/main.js', type: 'module', name: 'cooper' });
    expect(manifest).not.toHaveProperty('devDependencies');
    expect(manifest).not.toHaveProperty('scripts');
  });
});

describe('without a download of the release tools', () => {
  const away = {
    ELECTRON_BUILDER_BINARIES_MIRROR: 'http://127.0.0.1:9/',
    ELECTRON_BUILDER_CACHE: '/nonexistent',
    electron_config_cache: '/nonexistent',
  };

  test.skipIf(process.platform !== 'linux')(
    'packaging says so in one sentence and makes the tar.gz',
    async () => {
      const ran = await dist(['--linux', 'deb'], { ...away, COOPER_ELECTRON_DIST: electron });
      expect(ran.status).toBe(0);
      expect(ran.text.match(/The release tools cannot be downloaded/g)).toHaveLength(1);
      const name = readdirSync(output).find((file) => file.endsWith('.tar.gz'));
      expect(name).toMatch(/^cooper-\d+\.\d+\.\d+-linux-(?:x64|arm64)\.tar\.gz$/);
      expect(statSync(path.join(output, name ?? '')).size).toBeGreaterThan(1_000_000);
    },
    120_000,
  );

  test.skipIf(existsSync(path.join(root, 'node_modules/electron/dist')))(
    'and without Electron, packaging fails and says what to do',
    async () => {
      const ran = await dist(['--linux', 'dir'], { ...away, COOPER_ELECTRON_DIST: undefined });
      expect(ran.status).toBe(1);
      expect(ran.text).toContain('COOPER_ELECTRON_DIST');
    },
    60_000,
  );
});

/** Returns the size of the files that pdf.js loads on demand. */
function pdfBytes(): number {
  const assets = path.join(root, 'dist/window/assets');
  return readdirSync(assets, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith('pdf-'))
    .reduce((sum, entry) => sum + bytesOf(path.join(assets, entry.name)), 0);
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}
