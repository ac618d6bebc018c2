import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { endOn, stopSignal, desktopObstacle, runElectron } from '../build/scripts/run-electron.ts';
import { askControl, showSecond, startBrowserHost } from '../electron/browser/main.ts';
import { prepareChosenDataDir, startFailureOf } from '../electron/host/data-dir.ts';
import { parseFlags, parseServiceFlags, serviceCommand, type Flags } from '../electron/host/flags.ts';
import { errnoOf, exitUsage, StartProblem } from '../electron/host/problem.ts';
import { text } from '../electron/host/text.ts';
import { version } from '../electron/host/version.ts';

/** The name of the installed command. It starts the desktop app if Electron is installed, otherwise the browser host. */
const commandName = 'cooper';
/** Relative to dist/browser/, where this file is once built. */
const root = fileURLToPath(new URL('../..', import.meta.url));

try {
  await run(process.argv.slice(2));
} catch (thrown) {
  const { sentence, exitStatus } = startFailureOf(thrown);
  process.stderr.write(`${sentence}\n`);
  process.exit(exitStatus);
}

async function run(args: readonly string[]): Promise<void> {
  if (args.includes('--version')) {
    print(`Cooper ${version}`);
    return;
  }
  if (args[0] === 'service') {
    await serve(args.slice(1));
    return;
  }
  const flags = parseFlags(args, commandName);
  if (flags.help) {
    print(text('usageInstalled', { usage: text('usage', { command: commandName }) }));
    return;
  }
  const dataDir = prepareChosenDataDir(flags.dataDir);
  const stop = stopSignal();
  const running = await askControl(dataDir, flags.link);
  if (running !== null) {
    showSecond(running, print);
    return;
  }
  if (flags.host !== 'browser' && (await runDesktop(flags, dataDir, stop))) return;
  const host = await startBrowserHost({ ...flags, dataDir, print });
  if (host !== null) await endOn(stop, host);
}

/** Runs only the object storage of a data folder, until a signal ends it. */
async function serve(args: readonly string[]): Promise<void> {
  const flags = parseServiceFlags(args);
  if (flags.help) {
    print(text('usageService', { command: serviceCommand }));
    return;
  }
  const dataDir = prepareChosenDataDir(flags.dataDir);
  const stop = stopSignal();
  const { runService } = await import('../electron/host/run-service.ts');
  const service = await runService({ dataDir, port: flags.port, print });
  await endOn(stop, service);
}

/** Returns false if Electron is missing or cannot run and the user did not ask for it explicitly. */
async function runDesktop(flags: Flags, dataDir: string, stop: AbortSignal): Promise<boolean> {
  const decline = (errorMessage: string, fallbackMessage: string | null): false => {
    if (flags.host === 'desktop') throw new StartProblem(errorMessage, exitUsage);
    if (fallbackMessage !== null) print(fallbackMessage);
    return false;
  };
  const binary = installedElectron();
  if (binary === null) return decline(text('electronNotInstalled'), null);
  const obstacle = desktopObstacle();
  if (obstacle !== null) return decline(text(obstacle.errorMessage), text(obstacle.fallbackMessage));
  const reason = await runElectron(binary, { root, dataDir, link: flags.link, print, stop });
  if (reason === null) return true;
  return decline(text('electronFailedForDesktop', { reason }), text('electronFailed', { reason }));
}

/**
 * Returns the binary of an Electron installed next to Cooper, or in the folder ELECTRON_OVERRIDE_DIST_PATH names. Downloads
 * nothing.
 */
function installedElectron(): string | null {
  try {
    const folder = path.dirname(createRequire(import.meta.url).resolve('electron/package.json'));
    const dist = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? path.join(folder, 'dist');
    return path.join(dist, readFileSync(path.join(folder, 'path.txt'), 'utf8').trim());
  } catch (thrown) {
    if (errnoOf(thrown) === 'MODULE_NOT_FOUND' || errnoOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
