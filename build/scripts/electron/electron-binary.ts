import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from '../../../electron/host/problem.ts';
import { whyUnreachable } from './reachable.ts';

export type ElectronBinary =
  { readonly kind: 'here'; readonly file: string } | { readonly kind: 'missing'; readonly reason: string };

const fetchWithinMs = 15 * 60_000;
/** Milliseconds. A machine that cannot reach the download server does not wait for it again at each start. */
const failureRememberedMs = 24 * 3_600_000;

/** Returns the path of Electron's binary without downloading: `require('electron')` would start a download. null: missing. */
export function findElectron(root: string): string | null {
  const folder = path.join(root, 'node_modules', 'electron');
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const relative = readOrNull(path.join(folder, 'path.txt'));
  const names = relative === null ? [executableName()] : [relative, executableName()];
  const dir = override ?? path.join(folder, 'dist');
  return names.map((name) => path.join(dir, name)).find((file) => existsSync(file)) ?? null;
}

/** Returns the binary, downloading it once with Electron's installer if missing. `insist` ignores an earlier failure. */
export async function obtainElectron(
  root: string,
  options: { readonly insist: boolean; readonly onFetch: () => void },
): Promise<ElectronBinary> {
  const found = findElectron(root);
  if (found !== null) return { kind: 'here', file: found };
  const failureFile = path.join(root, '.cache', 'electron-not-fetched');
  const before = options.insist ? null : rememberedFailure(failureFile);
  if (before !== null) return { kind: 'missing', reason: before };

  const reason = (await unreachable(root)) ?? (await install(root, options.onFetch));
  const file = findElectron(root);
  if (reason === null && file !== null) {
    rmSync(failureFile, { force: true });
    return { kind: 'here', file };
  }
  const said = reason ?? 'its installer left no binary';
  mkdirSync(path.dirname(failureFile), { recursive: true });
  writeFileSync(failureFile, said);
  return { kind: 'missing', reason: said };
}

/** Returns why the download server cannot be reached; null if it answers. Tries only the connection. */
async function unreachable(root: string): Promise<string | null> {
  const { version } = JSON.parse(
    readFileSync(path.join(root, 'node_modules/electron/package.json'), 'utf8'),
  ) as {
    version: string;
  };
  const mirror =
    process.env['ELECTRON_MIRROR'] ??
    process.env['npm_config_electron_mirror'] ??
    'https://github.com/electron/electron/releases/download/';
  const address = `${mirror}v${version}/SHASUMS256.txt`;
  return whyUnreachable(address);
}

async function install(root: string, onFetch: () => void): Promise<string | null> {
  onFetch();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(root, 'node_modules/electron/install.js')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ELECTRON_GET_USE_PROXY: '1' },
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

function rememberedFailure(file: string): string | null {
  try {
    return Date.now() - statSync(file).mtimeMs < failureRememberedMs ? readFileSync(file, 'utf8') : null;
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

function executableName(): string {
  if (process.platform === 'win32') return 'electron.exe';
  return process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron';
}
