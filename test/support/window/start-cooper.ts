import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { askControl } from '../../../electron/host/control.ts';
import { atExit, removedAtExit } from '../at-exit.ts';

export interface StartOptions {
  /** The data folder. If absent, a new folder that is removed at the end. */
  readonly dataDir?: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The number of objects in the samples' tree of logs. The default number takes some seconds to create. */
  readonly sampleLogs?: number;
}

export interface RunningCooper {
  /** The printed address, with its one-time code. */
  readonly address: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Milliseconds from the start of the process to the printed address. */
  readonly readyAfterMs: number;
  /** Everything printed so far. */
  output(): string;
  /** Requests another address, for another tab. */
  newAddress(): Promise<string>;
  /** Ends the process by a signal. Returns its exit status, or the name of the signal. */
  end(signal?: NodeJS.Signals): Promise<number | string>;
}

const script = fileURLToPath(new URL('../../../build/scripts/run.mjs', import.meta.url));
const readyWithinMs = 60_000;

/** Starts the built program as `npm start -- --browser --no-open` does, and waits until it is ready. */
export async function startCooper(options: StartOptions = {}): Promise<RunningCooper> {
  const ownDir = options.dataDir === undefined ? removedAtExit('cooper-run-') : null;
  const dataDir = options.dataDir ?? ownDir ?? '';
  const begunMs = performance.now();
  const child = runStart(['--browser', '--no-open', '--data-dir', dataDir, ...(options.flags ?? [])], {
    COOPER_SAMPLE_LOGS: String(options.sampleLogs ?? 200),
    ...options.env,
  });
  const output = collect(child);
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  // Ends the process even if the test fails before ending it.
  const leave = atExit(() => child.kill());
  void exited.then(leave, leave);
  try {
    const address = await output.untilReady(exited);
    return {
      address,
      dataDir,
      pid: child.pid ?? -1,
      readyAfterMs: performance.now() - begunMs,
      output: output.text,
      newAddress: async () => {
        // On a slow machine, a busy program may not respond in time.
        const response = (await askControl(dataDir)) ?? (await askControl(dataDir));
        if (response?.kind !== 'address') throw new Error('Cooper gave no address.');
        return response.address;
      },
      end: async (signal = 'SIGTERM') => {
        child.kill(signal);
        const [status, by] = await exited;
        if (ownDir !== null) rmSync(ownDir, { recursive: true, force: true });
        return status ?? by ?? 'unknown';
      },
    };
  } catch (thrown) {
    child.kill('SIGKILL');
    if (ownDir !== null) rmSync(ownDir, { recursive: true, force: true });
    throw thrown;
  }
}

/** Runs the start command until it exits. */
export async function runToEnd(
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number | null; readonly output: string }> {
  const child = runStart(flags, env);
  const output = collect(child);
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, output: output.text() };
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

function runStart(flags: readonly string[], env: Readonly<Record<string, string>>): Child {
  // Removes npm's variable, so that the process does not wait for npm's shell: these tests send signals to the process itself.
  const { npm_lifecycle_event: _npm, ...inherited } = process.env;
  return spawn(process.execPath, [script, 'start', ...flags], {
    // Tests parse the output and expect English.
    env: { ...inherited, LC_ALL: 'C', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function collect(child: Child): {
  readonly text: () => string;
  readonly untilReady: (exited: Promise<unknown>) => Promise<string>;
} {
  let text = '';
  const changed = new EventTarget();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      changed.dispatchEvent(new Event('more'));
    });
  }
  return {
    text: () => text,
    untilReady: (exited) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new Error(`Cooper was not ready in time:\n${text}`));
        }, readyWithinMs);
        changed.addEventListener('more', () => {
          const address = /^Cooper is ready at (\S+)$/m.exec(text)?.[1];
          if (address === undefined) return;
          clearTimeout(timer);
          resolve(address);
        });
        void exited.then(() => {
          clearTimeout(timer);
          reject(new Error(`Cooper ended before it was ready:\n${text}`));
          return undefined;
        });
      }),
  };
}
