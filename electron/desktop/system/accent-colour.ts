/** `rrggbbaa` of Electron as `#rrggbb`; null: not a colour, or one that is not there at all. */
export function accentOf(rgba: string): string | null {
  const found = /^#?([0-9a-f]{6})([0-9a-f]{2})?$/i.exec(rgba);
  if (found === null || found[2] === '00') return null;
  return `#${(found[1] ?? '').toLowerCase()}`;
}
