import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = path.join(root, 'node_modules', '.bin');
const isWindows = process.platform === 'win32';
/** The time for a program to clean up after SIGTERM. */
const graceMs = 10_000;

export interface Ran {
  readonly status: number;
  /** The output of the program. Empty unless the caller asked to keep it. */
  readonly text: string;
}

/**
 * Runs a program of node_modules/.bin (or a file) until it exits. Shows its output, and returns it on request. `atOnce` shows
 * the output in one piece at the end, for programs that run in parallel. `ending` kills the program and all its child processes,
 * which could hold its pipes open, and fails the run.
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly keep?: boolean;
    readonly atOnce?: boolean;
    readonly ending?: AbortSignal;
  } = {},
): Promise<Ran> {
  const { keep = false, atOnce = false, ending } = options;
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`, ...options.env },
    stdio: ['ignore', keep || atOnce ? 'pipe' : 'inherit', atOnce ? 'pipe' : 'inherit'],
    // The .cmd files on Windows need its shell. This is safe, since every argument is a constant in these scripts.
    shell: isWindows,
    // Uses a separate process group, so that all of it can be killed.
    detached: ending !== undefined && !isWindows,
  });
  if (ending !== undefined) endAt(ending, child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (!atOnce) process.stdout.write(chunk);
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      if (atOnce) process.stdout.write(text);
      resolve({ status: ending?.aborted === true ? 1 : (status ?? 1), text });
    });
  });
}

function endAt(ending: AbortSignal, child: ChildProcess): void {
  const endAll = (signal: NodeJS.Signals): void => {
    try {
      if (isWindows || child.pid === undefined) child.kill(signal);
      else process.kill(-child.pid, signal);
    } catch {
      // The processes have already ended.
    }
  };
  const end = (): void => {
    endAll('SIGTERM');
    setTimeout(endAll, graceMs, 'SIGKILL').unref();
  };
  // Forwards the end of this process, since a separate process group does not receive the terminal's Ctrl-C.
  const endWithThis = (): void => {
    endAll('SIGTERM');
  };
  ending.addEventListener('abort', end, { once: true });
  process.once('exit', endWithThis);
  child.once('close', () => {
    ending.removeEventListener('abort', end);
    process.off('exit', endWithThis);
  });
}
