import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Identifies the program on Windows, which groups taskbar windows and notifications by it. Must equal `appId` in
 * build/electron-builder.yml, which the installer writes into shortcuts.
 */
const appUserModelId = 'dev.cooper.app';

/** Returns the AppUserModelID. An unpackaged program uses its executable's path, as Electron's docs advise. */
export function appUserModelIdOf(isPackaged: boolean, execPath: string): string {
  return isPackaged ? appUserModelId : execPath;
}

/** The name in the list of startup programs of Windows. The uninstaller removes it (build/installer.nsh). */
export const loginItemName = 'Cooper';

/** The flag that starts the program without a window. */
export const hiddenFlag = '--hidden';

export function autostartFile(env: Readonly<Record<string, string | undefined>>, home: string): string {
  return path.join(xdgFolder(env['XDG_CONFIG_HOME'], home, '.config'), 'autostart', 'cooper.desktop');
}

/** Returns the folder in an XDG variable, or the default one in the home folder. A relative path is ignored, as specified. */
export function xdgFolder(chosen: string | undefined, home: string, usual: string): string {
  return chosen !== undefined && path.isAbsolute(chosen) ? chosen : path.join(home, usual);
}

/** Quotes a program's path for `Exec` in a desktop entry: escapes `"`, backtick, `$` and `\`, and doubles `%`. */
function quotedProgram(program: string): string {
  const escaped = program
    .replace(/["`$\\]/gu, String.raw`\$&`)
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('%', '%%');
  return `"${escaped}"`;
}

/**
 * Returns a desktop entry that starts the program with an argument (Desktop Entry specification). TryExec disables the entry if
 * the program no longer exists. `furtherLine` is empty or ends in a line break.
 */
export function desktopEntry(program: string, argument: string, furtherLine = ''): string {
  const tried = program.replaceAll('\\', String.raw`\\`);
  return `[Desktop Entry]\nType=Application\nName=Cooper\nTryExec=${tried}\nExec=${quotedProgram(program)} ${argument}\n${furtherLine}Terminal=false\n`;
}

/** Returns a desktop entry that starts the program at login. */
export function autostartEntry(program: string): string {
  return desktopEntry(program, hiddenFlag);
}

/**
 * Writes the entry with access for this account only, for any umask. Otherwise another user could edit it and run programs as
 * this user.
 */
export function writeAutostart(file: string, program: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, autostartEntry(program), { mode: 0o600 });
  // `mode` has no effect on an existing file.
  chmodSync(file, 0o600);
}
