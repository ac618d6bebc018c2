import { rmSync } from 'node:fs';
import os from 'node:os';
import { app } from 'electron';
import { autostartFile, hiddenFlag, loginItemName, writeAutostart } from './program-entries.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the program to start on Windows. A portable program runs from a temporary folder, which electron-builder's launcher
 * deletes afterwards. The user's own file is in PORTABLE_EXECUTABLE_FILE.
 */
export function programOf(env: Environment, execPath: string): string {
  return env['PORTABLE_EXECUTABLE_FILE'] ?? env['APPIMAGE'] ?? execPath;
}

/** Enables or disables the start at login. On Linux, this is a file in a folder (XDG autostart specification). */
export function setOpenAtLogin(wanted: boolean, env: Environment = process.env): void {
  if (!app.isPackaged) return;
  const program = programOf(env, process.execPath);
  if (process.platform === 'win32') {
    app.setLoginItemSettings({ openAtLogin: wanted, name: loginItemName, path: program, args: [hiddenFlag] });
    return;
  }
  if (process.platform === 'darwin') {
    app.setLoginItemSettings({ openAtLogin: wanted });
    return;
  }
  const file = autostartFile(env, os.homedir());
  if (wanted) writeAutostart(file, program);
  else rmSync(file, { force: true });
}

/** Returns true if the system started the program at login. It then opens no window. */
export function wasOpenedAtLogin(): boolean {
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
}
