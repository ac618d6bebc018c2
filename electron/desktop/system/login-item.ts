import { rmSync } from 'node:fs';
import os from 'node:os';
import { app } from 'electron';
import { autostartFile, loginItemName, writeAutostart } from './autostart.ts';

/** Starts the program with the session, or no longer. Linux has no call for it, but a folder (the XDG autostart specification). */
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
