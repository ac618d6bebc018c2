/** The systems for whose shells a line is written: PowerShell on Windows, and bash, zsh or ksh on the other systems. */
export type ShellPlatform = 'linux' | 'darwin' | 'win32';

/**
 * Characters that a terminal interprets or that disguise a text: control characters (C0, DEL, C1), line and paragraph separators,
 * and controls of the writing direction. A pasted newline runs a command, even in a bracketed paste if `ESC [201~` precedes it.
 */
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const active = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Returns true if a terminal would act on a character of the text. */
export function isActiveText(text: string): boolean {
  return text.search(active) !== -1;
}

/**
 * Returns a text as one argument that a shell passes on unchanged, without any character that a terminal acts on. Throws a
 * RangeError for U+0000, which no argument can contain.
 */
export function shellQuoted(text: string, platform: ShellPlatform): string {
  if (text.includes('\0')) throw new RangeError('No argument can hold U+0000.');
  const isActive = isActiveText(text);
  if (platform === 'win32') return isActive ? powerShellEscaped(text) : powerShellQuoted(text);
  return isActive ? ansiQuoted(text) : posixQuoted(text);
}

/** Returns a text as a line for the clipboard. Quotes it if a terminal would act on it. */
export function clipboardLine(text: string): string {
  return isActiveText(text) ? ansiQuoted(text) : text;
}

/**
 * Returns a text of several lines for the clipboard. Characters that a terminal acts on become escapes, except newlines and tabs.
 */
export function clipboardText(text: string): string {
  return text.replaceAll(active, (sign) => (/[\n\t]/.test(sign) ? sign : `\\u{${hexOf(sign)}}`));
}

function posixQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Quotes a text as `$'…'`, with octal bytes of UTF-8. A hexadecimal escape could absorb digits after it. */
function ansiQuoted(text: string): string {
  const escaped = text
    .replaceAll(/['\\]/g, String.raw`\$&`)
    .replaceAll(active, (sign) =>
      [...new TextEncoder().encode(sign)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
    );
  return `$'${escaped}'`;
}

/** Quotes a text for PowerShell, which treats four typographic quotes like the plain one, and any two of them as one. */
function powerShellQuoted(text: string): string {
  return `'${text.replaceAll(/['\u2018-\u201B]/gu, '$&$&')}'`;
}

/**
 * Quotes a text in double quotes, whose typographic forms also count. Windows PowerShell 5.1 has no escapes for most controls.
 */
function powerShellEscaped(text: string): string {
  const escaped = text
    .replaceAll(/[`$"\u201C-\u201E]/gu, '`$&')
    .replaceAll(active, (sign) => `$([char]0x${hexOf(sign)})`);
  return `"${escaped}"`;
}

function hexOf(sign: string): string {
  return (sign.codePointAt(0) ?? 0).toString(16).toUpperCase();
}
