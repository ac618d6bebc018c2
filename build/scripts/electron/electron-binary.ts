import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EnvHttpProxyAgent, request } from 'undici';
import { errnoOf, detailOf, readIfExists } from '../../../electron/host/problem.ts';
import { hasDisplay } from '../../../electron/browser/open-window.ts';
import { root } from '../run-command.ts';

export type ElectronBinary =
  { readonly kind: 'here'; readonly file: string } | { readonly kind: 'missing'; readonly reason: string };

const fetchWithinMs = 15 * 60_000;
/**
 * Milliseconds for which a failed download is remembered, so that a machine without access does not wait for the server at each
 * start.
 */
const failureRememberedMs = 24 * 3_600_000;
/** How often the growing download is measured, and how many further bytes are reported. */
const measureEveryMs = 2000;
const tellEveryBytes = 20_000_000;

/**
 * Returns the path of Electron's binary. Null if it is missing, of another version, or only partly unpacked. Does not use
 * `require('electron')`, which would start a download.
 */
export function findElectron(root: string): string | null {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const folder = path.join(root, 'node_modules', 'electron');
  if (override === undefined && !isWhole(folder)) return null;
  const file = path.join(override ?? path.join(folder, 'dist'), executableName());
  return existsSync(file) ? file : null;
}

/** Returns true if Electron is completely unpacked. Its installer writes `path.txt` last, and checks both files (install.js). */
function isWhole(folder: string): boolean {
  const unpacked = readIfExists(path.join(folder, 'dist', 'version'))?.replace(/^v/, '');
  return readIfExists(path.join(folder, 'path.txt')) === executableName() && unpacked === versionIn(folder);
}

interface ObtainOptions {
  /** True to try the download even if it failed recently. */
  readonly insist: boolean;
  /** Called when the download starts and as it grows, with the bytes received. */
  readonly onFetch: (bytesDone: number) => void;
  readonly measureEveryMs?: number;
}

/** Returns the binary, downloading it once with Electron's installer if missing. */
export async function obtainElectron(root: string, options: ObtainOptions): Promise<ElectronBinary> {
  const found = findElectron(root);
  if (found !== null) return { kind: 'here', file: found };
  const failureFile = path.join(root, '.cache', 'electron-not-fetched');
  const isCached = isInCache(root);
  const before = options.insist || isCached ? null : rememberedFailure(failureFile);
  if (before !== null) return { kind: 'missing', reason: before };

  const reason = (isCached ? null : await unreachable(root)) ?? (await install(root, options));
  const file = findElectron(root);
  if (reason === null && file !== null) {
    rmSync(failureFile, { force: true });
    return { kind: 'here', file };
  }
  const cause = reason ?? 'its installer left no binary';
  mkdirSync(path.dirname(failureFile), { recursive: true });
  writeFileSync(failureFile, cause);
  return { kind: 'missing', reason: cause };
}

/** Returns true if the download is cached. The installer then needs no network, since the package contains the checksums. */
function isInCache(root: string): boolean {
  const name = `electron-v${versionIn(path.join(root, 'node_modules/electron')) ?? ''}-${process.platform}-${process.arch}.zip`;
  return globSync(path.join('*', name), { cwd: cacheDirOf('electron') }).length > 0;
}

/** Returns the cache folder of @electron/get or electron-builder: the one in its variable, or the system's (as in env-paths). */
export function cacheDirOf(name: 'electron' | 'electron-builder'): string {
  const chosen = process.env[name === 'electron' ? 'electron_config_cache' : 'ELECTRON_BUILDER_CACHE'];
  if (chosen !== undefined) return chosen;
  const home = os.homedir();
  if (process.platform === 'darwin') return path.join(home, 'Library/Caches', name);
  if (process.platform === 'win32')
    return path.join(process.env['LOCALAPPDATA'] ?? path.join(home, 'AppData/Local'), name, 'Cache');
  return path.join(process.env['XDG_CACHE_HOME'] ?? path.join(home, '.cache'), name);
}

/**
 * Returns why the download server cannot be reached, or null if it responds. Checks no file, because a mirror may have other
 * paths (ELECTRON_CUSTOM_DIR).
 */
async function unreachable(root: string): Promise<string | null> {
  const mirror = ['ELECTRON_MIRROR', 'electron_mirror', 'npm_config_electron_mirror']
    .map((name) => process.env[name])
    .find((value) => value !== undefined && value !== '');
  if (mirror !== undefined) return whyUnreachable(mirror, { anyAnswer: true });
  const version = versionIn(path.join(root, 'node_modules/electron')) ?? '';
  const releases = 'https://github.com/electron/electron/releases/download/';
  return whyUnreachable(`${releases}v${version}/SHASUMS256.txt`);
}

async function install(root: string, options: ObtainOptions): Promise<string | null> {
  const { onFetch } = options;
  onFetch(0);
  // The installer downloads into a subfolder of the temporary folder and reports no progress.
  const scratch = path.join(root, '.cache', 'electron-fetch');
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  let reportedPercent = 0;
  const measuring = setInterval(() => {
    const bytes = bytesBelow(scratch);
    if (bytes - reportedPercent < tellEveryBytes) return;
    reportedPercent = bytes;
    onFetch(bytes);
  }, options.measureEveryMs ?? measureEveryMs);
  try {
    return await runInstaller(root, scratch);
  } finally {
    clearInterval(measuring);
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function runInstaller(root: string, scratch: string): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(root, 'node_modules/electron/install.js')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ELECTRON_GET_USE_PROXY: '1', TMPDIR: scratch, TEMP: scratch, TMP: scratch },
      timeout: fetchWithinMs,
    });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      complaint = (complaint + chunk).slice(-4000);
    });
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('close', (status) => {
      const firstLine = complaint.trim().split('\n', 1)[0];
      resolve(status === 0 ? null : firstLine || 'its installer failed');
    });
  });
}

function bytesBelow(folder: string): number {
  return globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + sizeOf(path.join(entry.parentPath, entry.name)), 0);
}

/** Returns a file's size, or 0 if it was removed after it was listed. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function versionIn(folder: string): string | null {
  const manifest = readIfExists(path.join(folder, 'package.json'));
  return manifest === null ? null : (JSON.parse(manifest) as { version: string }).version;
}

function rememberedFailure(file: string): string | null {
  const failedMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Date.now() - failedMs < failureRememberedMs ? readFileSync(file, 'utf8') : null;
}

function executableName(): string {
  if (process.platform === 'win32') return 'electron.exe';
  return process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron';
}

const connectWithinMs = 10_000;

/** Returns null if the address responds (with `anyAnswer`, even with an error), otherwise a short reason. */
export async function whyUnreachable(
  address: string,
  options: { readonly anyAnswer?: boolean } = {},
): Promise<string | null> {
  const agent = new EnvHttpProxyAgent({ connect: { timeout: connectWithinMs } });
  try {
    const response = await request(address, {
      method: 'HEAD',
      dispatcher: agent,
      signal: AbortSignal.timeout(connectWithinMs),
    });
    await response.body.dump();
    if (response.statusCode < 400 || options.anyAnswer === true) return null;
    return `${new URL(address).host} answered ${String(response.statusCode)}`;
  } catch (thrown) {
    return `${hostOf(address)} cannot be reached: ${errnoOf(thrown) ?? detailOf(thrown)}`;
  } finally {
    await agent.destroy();
  }
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

/** Returns the path of Electron's binary for the desktop suite, or null if it is not installed. Downloads nothing. */
export function findElectronForTests(): string | null {
  return findElectron(root);
}

/** Returns why the suite for the real Electron cannot run here, or null if it can. */
export function desktopTestObstacle(): string | null {
  if (findElectronForTests() === null) return 'Electron’s binary is not here';
  if (!hasDisplay({ platform: process.platform, env: process.env })) return 'there is no display';
  return null;
}
