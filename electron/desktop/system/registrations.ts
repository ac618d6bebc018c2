import { rmSync, mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { app, dialog } from 'electron';
import {
  autostartFile,
  desktopEntry,
  hiddenFlag,
  loginItemName,
  writeAutostart,
  xdgFolder,
} from './program-entries.ts';
import { text } from '../../host/text.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the program to start on Windows. A portable program runs from a temporary folder, which electron-builder's launcher
 * deletes afterwards. The user's own file is in PORTABLE_EXECUTABLE_FILE.
 */
export function programOf(env: Environment, execPath: string): string {
  return env['PORTABLE_EXECUTABLE_FILE'] ?? env['APPIMAGE'] ?? execPath;
}

/** Enables or disables the start at login. On Linux, this is a file in a folder (XDG autostart specification). */
export function setOpenAtLogin(isEnabled: boolean, env: Environment = process.env): void {
  if (!app.isPackaged) return;
  const program = programOf(env, process.execPath);
  if (process.platform === 'win32') {
    app.setLoginItemSettings({
      openAtLogin: isEnabled,
      name: loginItemName,
      path: program,
      args: [hiddenFlag],
    });
    return;
  }
  if (process.platform === 'darwin') {
    app.setLoginItemSettings({ openAtLogin: isEnabled });
    return;
  }
  const file = autostartFile(env, os.homedir());
  if (isEnabled) writeAutostart(file, program);
  else rmSync(file, { force: true });
}

/** Returns true if the system started the program at login. It then opens no window. */
export function wasOpenedAtLogin(): boolean {
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
}

/** Returns true for an AppImage or a portable program, because they have no installer that registers the scheme. */
export function canRegisterLinks(env: Environment): boolean {
  return env['APPIMAGE'] !== undefined || env['PORTABLE_EXECUTABLE_FILE'] !== undefined;
}

/** Makes the system open `s3://` links with this program, for this account. Called by a menu item. */
export async function registerLinkHandler(env: Environment): Promise<void> {
  const portable = env['PORTABLE_EXECUTABLE_FILE'];
  const appImage = env['APPIMAGE'];
  if (appImage !== undefined) writeLinkEntry(appImage, env, os.homedir());
  const isRegistered =
    portable === undefined
      ? // xdg-settings requires the entry that `desktopName` in package.json names.
        app.setAsDefaultProtocolClient('s3')
      : // As in the installer: after `--`, a link cannot be parsed as a flag.
        app.setAsDefaultProtocolClient('s3', portable, ['--']);
  await dialog.showMessageBox({
    type: isRegistered ? 'info' : 'error',
    message: text(isRegistered ? 'linksTaken' : 'linksNotTaken'),
    buttons: [text('close')],
  });
}

/** Writes a desktop entry for an AppImage, which no package installs. */
export function writeLinkEntry(appImage: string, env: Environment, home: string): string {
  const data = xdgFolder(env['XDG_DATA_HOME'], home, '.local/share');
  const file = path.join(data, 'applications', 'cooper.desktop');
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, desktopEntry(appImage, '%u', 'MimeType=x-scheme-handler/s3;\n'), { mode: 0o600 });
  return file;
}
