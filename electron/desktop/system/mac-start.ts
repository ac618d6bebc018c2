import { existsSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { app, dialog } from 'electron';
import { detailOf } from '../../host/problem.ts';
import { text } from '../../host/text.ts';

/**
 * Offers once to move the program to Applications if macOS started it from another place, such as a disk image. From such a place
 * it could not update itself, and links would stop working after the image is ejected. Returns true if it moved the program; this
 * process then ends.
 */
export async function offerApplicationsFolder(declinedFile: string): Promise<boolean> {
  if (process.platform !== 'darwin' || !app.isPackaged) return false;
  if (app.isInApplicationsFolder() || existsSync(declinedFile)) return false;
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: text('moveTitle'),
    detail: text('moveDetail'),
    buttons: [text('moveNow'), text('moveLater')],
    defaultId: 0,
    cancelId: 1,
  });
  if (response !== 0) {
    writeFileSync(declinedFile, '', { mode: 0o600 });
    return false;
  }
  try {
    return app.moveToApplicationsFolder();
  } catch (thrown) {
    dialog.showErrorBox(text('moveFailed'), detailOf(thrown));
    return false;
  }
}

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
