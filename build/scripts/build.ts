import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { InlineConfig } from 'vite';
import { takeLock, type Lock } from '../../electron/host/lock.ts';
import { text } from '../../electron/host/text.ts';
import { isBuilt, stampOf, writeStamp } from './stamp.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Served with the window's files and shown by About. */
const licencesFile = 'third-party-licences.txt';
const betweenTriesMs = 200;

/** Builds the window and both hosts into dist/, unless dist/ is already up to date with these sources. */
export async function buildWhenNeeded(): Promise<void> {
  if (isBuilt(root)) return;
  const lock = await buildLock();
  try {
    // Another process may have built while this process waited for the lock.
    if (isBuilt(root)) return;
    const stamp = stampOf(root, Date.now());
    console.log(text('building'));
    await buildAll();
    writeStamp(root, stamp);
  } finally {
    lock.release();
  }
}

async function buildAll(): Promise<void> {
  // Vite reads this variable when it loads React's plugin, and would otherwise build a development window.
  process.env['NODE_ENV'] = 'production';
  rmSync(path.join(root, 'dist', 'stamp'), { force: true });
  const [{ build }, { hostsConfig, preloadConfig }, { bundledPackages, licenceOf, licenceText }] =
    await Promise.all([import('vite'), import('../vite/hosts.ts'), import('../vite/licences.ts')]);
  const bundled = bundledPackages();
  const noting = (config: InlineConfig): InlineConfig => ({
    ...config,
    plugins: [...(config.plugins ?? []), bundled.plugin()],
    // Workers are bundled separately.
    worker: { plugins: () => [bundled.plugin()] },
  });
  await build(noting({ configFile: path.join(root, 'build/vite/window.config.ts') }));
  for (const folder of ['core', 'browser', 'desktop', 'start'])
    rmSync(path.join(root, 'dist', folder), { recursive: true, force: true });
  await build(noting(hostsConfig()));
  await build(noting(preloadConfig()));
  // Copies the icon for windows on Linux and for the notification area.
  copyFileSync(path.join(root, 'build/icons/png/64x64.png'), path.join(root, 'dist/desktop/icon.png'));
  const licences = licenceText(bundled.folders().map(licenceOf));
  writeFileSync(path.join(root, 'dist/window', licencesFile), licences);
}

async function buildLock(): Promise<Lock> {
  const dir = path.join(root, '.cache');
  mkdirSync(dir, { recursive: true });
  for (;;) {
    const lock = takeLock(dir, 'build.lock');
    if (lock !== null) return lock;
    await delay(betweenTriesMs);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildWhenNeeded();
  } catch (thrown) {
    console.error(text('buildFailed'));
    console.error(thrown instanceof Error ? thrown.message : thrown);
    process.exitCode = 1;
  }
}
