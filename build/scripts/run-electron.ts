import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

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

/** Runs Electron until it exits. Returns null if it started, otherwise the reason why it ended before it was ready. */
export async function runElectron(file: string, options: ElectronRun): Promise<string | null> {
  const child = spawn(
    file,
    [options.root, `--data-dir=${options.dataDir}`, ...(options.link === null ? [] : [options.link])],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ELECTRON_RUN_AS_NODE: undefined },
    },
  );
  const ended = Promise.race([
    once(child, 'exit').then(([status]) => ({ status: status as number | null, problem: null })),
    once(child, 'error').then(([error]) => ({ status: null, problem: (error as Error).message })),
  ]);
  options.stop.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });

  let spoke = false;
  createInterface({ input: child.stdout }).on('line', (line) => {
    spoke = true;
    options.print(line);
  });
  const { status, problem } = await ended;
  // Output means that Electron started, since the main process prints only once it is ready or has reported a failure.
  if (spoke || options.stop.aborted) {
    process.exitCode = status ?? 0;
    return null;
  }
  if (problem !== null) return problem;
  return status === null ? 'it was ended' : `status ${String(status)}`;
}
