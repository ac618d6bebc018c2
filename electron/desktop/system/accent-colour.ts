/** Converts Electron's `rrggbbaa` to `#rrggbb`; null for an invalid or fully transparent colour. */
export function accentOf(rgba: string): string | null {
  const found = /^#?([0-9a-f]{6})([0-9a-f]{2})?$/i.exec(rgba);
  if (found === null || found[2] === '00') return null;
  return `#${(found[1] ?? '').toLowerCase()}`;
}
