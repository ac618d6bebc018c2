import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = path.join(root, 'node_modules', '.bin');

export interface Ran {
  readonly status: number;
  /** What it printed; empty unless it was kept. */
  readonly text: string;
}

/**
 * Runs a program of node_modules/.bin (or a file) to its end; its output is shown, and kept where that is asked for. `atOnce`: it
 * is shown at the end in one piece, since others run beside it.
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly keep?: boolean;
    readonly atOnce?: boolean;
  } = {},
): Promise<Ran> {
  const { keep = false, atOnce = false } = options;
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`, ...options.env },
    stdio: ['ignore', keep || atOnce ? 'pipe' : 'inherit', atOnce ? 'pipe' : 'inherit'],
    // The .cmd files of Windows need its shell; every argument is a constant of these scripts.
    shell: process.platform === 'win32',
  });
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
      resolve({ status: status ?? 1, text });
    });
  });
}
