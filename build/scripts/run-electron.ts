import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { hasDisplay } from '../../electron/browser/open-window.ts';
import { detailOf } from '../../electron/host/problem.ts';
import type { HostMessage } from '../../electron/host/text.ts';

export interface ElectronRun {
  /** The folder with the package.json that names the main process. */
  readonly root: string;
  readonly dataDir: string;
  /** An `s3://` address to open. */
  readonly link: string | null;
  readonly print: (line: string) => void;
  /** Aborting it also ends Electron. */
  readonly stop: AbortSignal;
}

/**
 * Runs Electron until it exits. Returns null if it started or the user stopped the start, otherwise the reason why it ended before
 * it was ready.
 */
export async function runElectron(file: string, options: ElectronRun): Promise<string | null> {
  const { root, dataDir, link, print, stop } = options;
  // The user may have pressed Ctrl-C while Electron was downloaded.
  if (stop.aborted) return null;
  let hasOutput = false;
  let status: number | null = null;
  let reason = 'it was ended';
  try {
    const child = spawn(file, [root, `--data-dir=${dataDir}`, ...(link === null ? [] : [link])], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ELECTRON_RUN_AS_NODE: undefined },
    });
    stop.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
    createInterface({ input: child.stdout }).on('line', (line) => {
      hasOutput = true;
      print(line);
    });
    // Rejects if the child emits 'error', because the binary is missing or not executable.
    [status] = (await once(child, 'exit')) as [number | null];
  } catch (thrown) {
    // For other errors, such as ENOTDIR, `spawn` throws at once.
    reason = detailOf(thrown);
  }
  // Output means that Electron started, since the main process prints only once it is ready or has reported a failure.
  if (hasOutput || stop.aborted) {
    process.exitCode = status ?? 0;
    return null;
  }
  return status === null ? reason : `status ${String(status)}`;
}

/** Returns why Electron could not run on this machine even if it were installed, or null if it could. */
export function desktopObstacle(): {
  readonly fallbackMessage: HostMessage;
  readonly errorMessage: HostMessage;
} | null {
  if (!hasDisplay({ platform: process.platform, env: process.env })) {
    return { fallbackMessage: 'noDisplay', errorMessage: 'noDisplayForDesktop' };
  }
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    return { fallbackMessage: 'electronAsRoot', errorMessage: 'electronAsRootForDesktop' };
  }
  return null;
}

const parentCheckMs = 250;

/**
 * Returns a signal that aborts when the program should end: Ctrl-C, SIGTERM, a closed terminal, or the end of the shell that npm
 * puts between itself and this process (npm signals that shell, which exits without forwarding the signal).
 */
export function stopSignal(): AbortSignal {
  const stopped = new AbortController();
  const stop = (): void => {
    stopped.abort();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop).once('SIGHUP', stop);
  if (process.env['npm_lifecycle_event'] !== undefined && process.platform !== 'win32') {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) stop();
    }, parentCheckMs).unref();
  }
  return stopped.signal;
}

/**
 * Waits for the signal, closes `running`, and exits the process. Remaining timers or the terminal would otherwise keep an idle
 * process alive.
 */
export async function endOn(stop: AbortSignal, running: { close(): Promise<void> }): Promise<never> {
  if (!stop.aborted) await once(stop, 'abort');
  await running.close();
  process.exit(0);
}
