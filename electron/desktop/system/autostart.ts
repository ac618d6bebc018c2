import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What Windows calls it in its list of programs that start with the session; the uninstaller takes it out (build/installer.nsh). */
export const loginItemName = 'Cooper';

export function autostartFile(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const config = env['XDG_CONFIG_HOME'];
  const base = config !== undefined && path.isAbsolute(config) ? config : path.join(home, '.config');
  return path.join(base, 'autostart', 'cooper.desktop');
}

/**
 * Quoted as the Desktop Entry specification has it: within quotes, `"`, backtick, `$` and `\` are escaped, and `%` is doubled. By TryExec a
 * session passes over the entry of a program that is not there any more.
 */
export function autostartEntry(program: string): string {
  const quoted = program
    .replace(/["`$\\]/gu, String.raw`\$&`)
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('%', '%%');
  const tried = program.replaceAll('\\', String.raw`\\`);
  return `[Desktop Entry]\nType=Application\nName=Cooper\nTryExec=${tried}\nExec="${quoted}"\nTerminal=false\n`;
}

/** Writes the entry for this account alone, whatever the umask: whoever can write it starts programs as this user. */
export function writeAutostart(file: string, program: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, autostartEntry(program), { mode: 0o600 });
  // One that was there keeps its rights otherwise.
  chmodSync(file, 0o600);
}
