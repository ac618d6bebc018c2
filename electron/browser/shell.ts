import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Dialogs, Shell } from '../core/ports.ts';
import { failure } from '../../shared/errors.ts';
import { hasDisplay } from './open-window.ts';

const unavailable = failure('unsupported', 'The browser host has no native dialogs.');

/** Replaces native dialogs, because a page in a browser must not get paths on this computer. */
export const noDialogs: Dialogs = {
  available: false,
  openFiles: () => Promise.reject(unavailable),
  openFolder: () => Promise.reject(unavailable),
  saveFile: () => Promise.reject(unavailable),
};

export const browserShell: Shell = {
  revealInFolder: async (file) => {
    const command = revealCommand(file);
    if (command === null) throw failure('unsupported', 'There is no display to show the folder on.');
    await new Promise<void>((resolve, reject) => {
      const child = spawn(command.file, command.args, { stdio: 'ignore', detached: true });
      child.once('spawn', resolve);
      child.once('error', (error) => {
        reject(failure('unsupported', 'The file manager could not be started.', { cause: error }));
      });
      child.unref();
    });
  },
  // The window shows notices itself, so no system notification is needed.
  notify: () => undefined,
};

function revealCommand(file: string): { readonly file: string; readonly args: readonly string[] } | null {
  if (process.platform === 'darwin') return { file: '/usr/bin/open', args: ['-R', file] };
  if (process.platform === 'win32') return { file: 'explorer.exe', args: [`/select,${file}`] };
  if (!hasDisplay({ platform: process.platform, env: process.env })) return null;
  return { file: 'xdg-open', args: [path.dirname(file)] };
}
