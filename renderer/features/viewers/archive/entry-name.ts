/** Device names of Windows, which cannot be file names there. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
// oxlint-disable-next-line no-control-regex -- finds control characters
const forbidden = /[\u0000-\u001f\u007f-\u009f<>:"|?*\\/\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Returns the file name for saving an entry: its last segment, without characters that separate folders, are invalid in file
 * names, or disguise the name (CVE-2021-42574).
 */
export function safeFileName(entryName: string): string {
  const segments = entryName.split(/[/\\]/).filter((segment) => segment !== '' && !/^\.+$/.test(segment));
  const last = (segments.at(-1) ?? '').toWellFormed().replaceAll(forbidden, '_');
  const trimmed = last.replace(/[. ]+$/, '').trim();
  if (trimmed === '' || /^_+$/.test(trimmed)) return 'entry';
  const named = deviceName.test(trimmed) ? `_${trimmed}` : trimmed;
  if (named.length <= 150) return named;
  const dot = named.lastIndexOf('.');
  const extension = dot > 0 && named.length - dot <= 20 ? named.slice(dot) : '';
  return named.slice(0, 150 - extension.length).toWellFormed() + extension;
}

/** Returns true if unpacking an entry of this name would write outside the target folder. */
export function escapesFolder(entryName: string): boolean {
  return /^[/\\]/.test(entryName) || /^[a-z]:/i.test(entryName) || entryName.split(/[/\\]/).includes('..');
}
