import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const answersWithinMs = 5000;

/**
 * Returns the PATH of the user's login shell; null: it did not answer. A program that Finder starts gets
 * `/usr/bin:/bin:/usr/sbin:/sbin`, where no `credential_process` of Homebrew or npm is found.
 */
async function pathOfLoginShell(shell: string): Promise<string | null> {
  try {
    // `env` prints the variable alike in every shell; start files may print before it.
    const { stdout } = await promisify(execFile)(shell, ['-ilc', 'command env'], {
      timeout: answersWithinMs,
      killSignal: 'SIGKILL',
    });
    return [...stdout.matchAll(/^PATH=(.+)$/gmu)].at(-1)?.[1] ?? null;
  } catch {
    return null; // A shell that fails or hangs leaves PATH unchanged.
  }
}

/** Puts the folders of the user's login shell before those of the environment. Changes nothing if the shell does not answer. */
export async function takeLoginPath(env: NodeJS.ProcessEnv): Promise<void> {
  const found = await pathOfLoginShell(env['SHELL'] ?? '/bin/zsh');
  if (found === null) return;
  const folders = [...found.split(path.delimiter), ...(env['PATH'] ?? '').split(path.delimiter)];
  env['PATH'] = [...new Set(folders.filter((folder) => folder !== ''))].join(path.delimiter);
}
