import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { takeLock, type Lock } from '../../electron/host/lock.ts';
import { text } from '../../electron/host/text.ts';
import { readStamp, stampOf, writeStamp } from './stamp.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const betweenTriesMs = 200;

/** Builds the window and both hosts into dist/, unless what is there was built from these very sources. */
export async function buildWhenNeeded(say: (line: string) => void): Promise<void> {
  if (readStamp(root) === stampOf(root)) return;
  const lock = await buildLock();
  try {
    // Another process may have built while this one waited.
    const stamp = stampOf(root);
    if (readStamp(root) === stamp) return;
    say(text('building'));
    await buildAll();
    writeStamp(root, stamp);
  } finally {
    lock.release();
  }
}

async function buildAll(): Promise<void> {
  // vite looks at it when it loads React's plugin, and would otherwise build a development window.
  process.env['NODE_ENV'] = 'production';
  rmSync(path.join(root, 'dist', 'stamp'), { force: true });
  const [{ build }, { hostConfig, preloadConfig }] = await Promise.all([
    import('vite'),
    import('../vite/hosts.ts'),
  ]);
  await build({ configFile: path.join(root, 'build/vite/window.config.ts') });
  await build(hostConfig('browser'));
  await build(hostConfig('desktop'));
  await build(preloadConfig());
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
    await buildWhenNeeded((line) => {
      console.log(line);
    });
  } catch (thrown) {
    console.error(text('buildFailed'));
    console.error(thrown instanceof Error ? thrown.message : thrown);
    process.exitCode = 1;
  }
}
