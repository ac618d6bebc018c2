import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { app } from 'electron';
import { autostartEntry, autostartFile, loginItemName } from './autostart.ts';

/** Starts the program with the session, or no longer. Linux has no call for it, but a folder (the XDG autostart specification). */
export function setOpenAtLogin(wanted: boolean): void {
  if (!app.isPackaged) return;
  if (process.platform !== 'linux') {
    app.setLoginItemSettings({ openAtLogin: wanted, name: loginItemName });
    return;
  }
  const file = autostartFile(process.env, os.homedir());
  if (!wanted) {
    rmSync(file, { force: true });
    return;
  }
  // Whoever can write there starts programs as this user.
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, autostartEntry(process.env['APPIMAGE'] ?? process.execPath), { mode: 0o600 });
}
