import path from 'node:path';

export function autostartFile(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const config = env['XDG_CONFIG_HOME'];
  const base = config !== undefined && path.isAbsolute(config) ? config : path.join(home, '.config');
  return path.join(base, 'autostart', 'cooper.desktop');
}

/** Quoted as the Desktop Entry specification has it: within quotes, `"`, backtick, `$` and `\` are escaped, and `%` is doubled. */
export function autostartEntry(program: string): string {
  const quoted = program
    .replace(/["`$\\]/gu, String.raw`\$&`)
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('%', '%%');
  return `[Desktop Entry]\nType=Application\nName=Cooper\nExec="${quoted}"\nTerminal=false\n`;
}
