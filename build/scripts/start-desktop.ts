import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { exitUsage, StartProblem } from '../../electron/host/problem.ts';
import { text } from '../../electron/host/text.ts';
import type { HostMessage } from '../../shared/messages/en/host.ts';
import { obtainElectron } from './electron-binary.ts';

export interface DesktopStart {
  readonly root: string;
  readonly dataDir: string;
  /** --desktop was given: what stands in the way is an error, not a reason to use the browser. */
  readonly asked: boolean;
  readonly print: (line: string) => void;
  /** Ends Electron too. */
  readonly stop: AbortSignal;
}

/** Runs Electron to its end; false, after one line saying why, where it cannot run and the browser is to be used. */
export async function runDesktop(options: DesktopStart): Promise<boolean> {
  const binary = await obtainElectron(options.root, {
    insist: options.asked,
    onFetch: () => {
      options.print(text('electronFetching'));
    },
  });
  if (binary.kind === 'missing') {
    return decline(options, 'electronMissing', 'electronMissingForDesktop', binary.reason);
  }
  const failed = await runElectron(binary.file, options);
  return failed === null ? true : decline(options, 'electronFailed', 'electronFailedForDesktop', failed);
}

function decline(options: DesktopStart, instead: HostMessage, asked: HostMessage, reason: string): false {
  if (options.asked) throw new StartProblem(text(asked, { reason }), exitUsage);
  options.print(text(instead, { reason }));
  return false;
}

/** null: it ran. Otherwise why it ended before it was ready. */
async function runElectron(file: string, options: DesktopStart): Promise<string | null> {
  const child = spawn(file, [options.root, `--data-dir=${options.dataDir}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: undefined },
  });
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
  // Its main process speaks only once it is ready, or when it has said itself what is wrong.
  if (spoke || options.stop.aborted) {
    process.exitCode = status ?? 0;
    return null;
  }
  if (problem !== null) return problem;
  return status === null ? 'it was ended' : `status ${String(status)}`;
}
