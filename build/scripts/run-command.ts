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

/** Runs a program of node_modules/.bin (or a file) to its end; its output is shown, and kept where that is asked for. */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly keep?: boolean } = {},
): Promise<Ran> {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`, ...options.env },
    stdio: ['ignore', options.keep === true ? 'pipe' : 'inherit', 'inherit'],
    // The .cmd files of Windows need its shell; every argument is a constant of these scripts.
    shell: process.platform === 'win32',
  });
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    process.stdout.write(chunk);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      resolve({ status: status ?? 1, text });
    });
  });
}
