import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const answersWithinMs = 5000;

/**
 * Returns the PATH of the user's login shell; null if the shell fails or hangs. A program started by Finder has only
 * `/usr/bin:/bin:/usr/sbin:/sbin`, without the folders in which Homebrew and npm install a `credential_process`.
 */
async function pathOfLoginShell(shell: string): Promise<string | null> {
  try {
    // `env` prints PATH in the same format in every shell. The shell's startup files may print other lines before.
    const { stdout } = await promisify(execFile)(shell, ['-ilc', 'command env'], {
      timeout: answersWithinMs,
      killSignal: 'SIGKILL',
    });
    return [...stdout.matchAll(/^PATH=(.+)$/gmu)].at(-1)?.[1] ?? null;
  } catch {
    return null; // A shell that fails or hangs leaves PATH unchanged.
  }
}

/** Prepends the PATH of the user's login shell to PATH in `env`. Changes nothing if the shell fails or hangs. */
export async function takeLoginPath(env: NodeJS.ProcessEnv): Promise<void> {
  const found = await pathOfLoginShell(env['SHELL'] ?? '/bin/zsh');
  if (found === null) return;
  const folders = [...found.split(path.delimiter), ...(env['PATH'] ?? '').split(path.delimiter)];
  env['PATH'] = [...new Set(folders.filter((folder) => folder !== ''))].join(path.delimiter);
}
