/** The systems whose shells a line is written for: PowerShell on Windows, a POSIX shell elsewhere. */
export type ShellPlatform = 'linux' | 'darwin' | 'win32';

/** A text as one argument that a shell takes as it is. No argument can hold U+0000. */
export function shellQuoted(text: string, platform: ShellPlatform): string {
  return platform === 'win32' ? powerShellQuoted(text) : posixQuoted(text);
}

function posixQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** PowerShell takes four typographic quotes for the plain one, and two of any of them for one. */
function powerShellQuoted(text: string): string {
  return `'${text.replaceAll(/['\u2018-\u201B]/gu, '$&$&')}'`;
}
