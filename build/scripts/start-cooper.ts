import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { prepareChosenDataDir, startFailureOf } from '../../electron/host/data-dir.ts';
import { parseFlags, startCommand, type Flags } from '../../electron/host/flags.ts';
import { exitUsage, isStartProblem, StartProblem } from '../../electron/host/problem.ts';
import { text } from '../../electron/host/text.ts';
import type * as BrowserHost from '../../electron/browser/main.ts';
import type * as Desktop from './start-desktop.ts';
import { endOn, stopSignal, desktopObstacle } from './run-electron.ts';

/** Returns the browser host once it is built. `stop` also ends a running build. */
type Built = (stop: AbortSignal) => Promise<typeof BrowserHost>;

/** The folder of the repository. The path is the same from build/scripts/ and from dist/start/, where this file is once built. */
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs `npm start` from parsing its flags to its exit. Prints a failure as one sentence. */
export async function startCooper(args: readonly string[], built: Built): Promise<void> {
  try {
    await start(parseFlags(args), built);
  } catch (thrown) {
    const { sentence, exitStatus } = startFailureOf(thrown);
    console.error(sentence);
    if (process.env['COOPER_DEBUG'] && !isStartProblem(thrown)) console.error(thrown);
    process.exit(exitStatus);
  }
}

async function start(flags: Flags, built: Built): Promise<void> {
  if (flags.help) {
    print(text('usage', { command: startCommand }));
    return;
  }
  const dataDir = prepareChosenDataDir(flags.dataDir);
  const stop = stopSignal();
  // Checked before building, because a build takes time.
  const obstacle = flags.host === 'browser' ? null : desktopObstacle();
  if (obstacle !== null && flags.host === 'desktop')
    throw new StartProblem(text(obstacle.errorMessage), exitUsage);
  const { askControl, showSecond, startBrowserHost } = await built(stop);

  // Brings a running program that uses this folder to the front, whichever host it is.
  const running = await askControl(dataDir, flags.link);
  if (running !== null) {
    showSecond(running, print);
    return;
  }
  if (obstacle !== null) print(text(obstacle.fallbackMessage));
  else if (flags.host !== 'browser') {
    const { runDesktop } = await desktop();
    if (
      await runDesktop({
        root,
        dataDir,
        link: flags.link,
        isDesktopRequired: flags.host === 'desktop',
        print,
        stop,
      })
    )
      return;
  }
  const host = await startBrowserHost({ ...flags, dataDir, print });
  if (host !== null) await endOn(stop, host);
}

/** Loads the desktop start from its source even in the built file, because it may download Electron with the build tools. */
async function desktop(): Promise<typeof Desktop> {
  const file = path.join(root, 'build/scripts/start-desktop.ts');
  return (await import(pathToFileURL(file).href)) as typeof Desktop;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
