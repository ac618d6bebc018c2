import { spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultDataDir, prepareDataDir } from '../../electron/host/data-dir.ts';
import { parseFlags, startCommand, type Flags } from '../../electron/host/flags.ts';
import {
  detailOf,
  exitFailure,
  exitUsage,
  isStartProblem,
  StartProblem,
} from '../../electron/host/problem.ts';
import { text } from '../../electron/host/text.ts';
import type * as BrowserHost from '../../electron/browser/main.ts';
import { isBuilt } from './build.ts';
import { desktopObstacle } from './electron/desktop-obstacle.ts';
import { aborted, stopSignal } from './stop-signal.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

try {
  await start(parseFlags(process.argv.slice(2)));
} catch (thrown) {
  if (isStartProblem(thrown)) {
    console.error(thrown.message);
    process.exit(thrown.exitStatus);
  } else {
    console.error(text('startFailed', { detail: detailOf(thrown) }));
    if (process.env['COOPER_DEBUG']) console.error(thrown);
    process.exit(exitFailure);
  }
}

async function start(flags: Flags): Promise<void> {
  if (flags.help) {
    print(text('usage', { command: startCommand }));
    return;
  }
  const dataDir = prepareDataDir(
    path.resolve(
      flags.dataDir ?? defaultDataDir({ platform: process.platform, env: process.env, home: os.homedir() }),
    ),
  );
  const stop = stopSignal();
  // Said before the time is spent on building.
  const obstacle = flags.host === 'browser' ? null : desktopObstacle();
  if (obstacle !== null && flags.host === 'desktop') throw new StartProblem(text(obstacle.asked), exitUsage);
  await build(stop);

  // A program that already uses this folder shows itself, whichever host it is.
  const { askControl, showSecond } = await browserMain();
  const running = await askControl(dataDir, flags.link);
  if (running !== null) {
    showSecond(running, { print, open: flags.open, dataDir });
    return;
  }
  if (obstacle !== null) print(text(obstacle.instead));
  else if (flags.host !== 'browser') {
    const { runDesktop } = await import('./start-desktop.ts');
    if (await runDesktop({ root, dataDir, link: flags.link, asked: flags.host === 'desktop', print, stop }))
      return;
  }
  await runBrowser(flags, dataDir, stop);
}

/** In a process of its own: what a build loads, a gigabyte, would stay with Cooper for as long as it runs. */
async function build(stop: AbortSignal): Promise<void> {
  if (isBuilt()) return;
  const script = fileURLToPath(new URL('run.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, 'build'], { stdio: 'inherit' });
  const end = (): void => {
    child.kill();
  };
  stop.addEventListener('abort', end, { once: true });
  const [status] = (await once(child, 'exit')) as [number | null];
  stop.removeEventListener('abort', end);
  if (stop.aborted) process.exit(0);
  // The build itself has said why.
  if (status !== 0) process.exit(exitFailure);
}

async function runBrowser(flags: Flags, dataDir: string, stop: AbortSignal): Promise<void> {
  const { startBrowserHost } = await browserMain();
  const host = await startBrowserHost({
    dataDir,
    port: flags.port,
    open: flags.open,
    link: flags.link,
    print,
  });
  // Its timers and the terminal must not keep a process alive that has nothing to do.
  if (host === null) return;
  await aborted(stop);
  await host.close();
  process.exit(0);
}

async function browserMain(): Promise<typeof BrowserHost> {
  // The built one: it has its libraries in it, and starts in a fraction of the time.
  const file = new URL('../../dist/browser/main.js', import.meta.url);
  return (await import(file.href)) as typeof BrowserHost;
}

function print(line: string): void {
  console.log(line);
}
