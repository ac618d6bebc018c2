/**
 * Returns true for control characters that do not occur in texts. Tabs, line ends and form feeds do, and escapes in coloured
 * logs.
 */
export function isControlCharacter(code: number): boolean {
  return code < 32 && ![9, 10, 12, 13, 27].includes(code);
}

export function hasControlCharacters(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (isControlCharacter(text.charCodeAt(at))) return true;
  return false;
}
