import { rmSync } from 'node:fs';
import os from 'node:os';
import { app } from 'electron';
import { autostartFile, loginItemName, writeAutostart } from './autostart.ts';

/** Enables or disables the start at login. Linux uses a folder instead of an API (XDG autostart specification). */
export function setOpenAtLogin(wanted: boolean): void {
  if (!app.isPackaged) return;
  if (process.platform !== 'linux') {
    app.setLoginItemSettings({ openAtLogin: wanted, name: loginItemName });
    return;
  }
  const file = autostartFile(process.env, os.homedir());
  if (wanted) writeAutostart(file, process.env['APPIMAGE'] ?? process.execPath);
  else rmSync(file, { force: true });
}
