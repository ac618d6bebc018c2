/** Names of devices of Windows, which no file may have there. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const forbidden = /[\u0000-\u001f\u007f-\u009f<>:"|?*\\/\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * The name under which an entry of an archive is saved: its last segment, without what leads elsewhere, cannot be in a file's name, or
 * makes it look like another one (CVE-2021-42574).
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

/** The name leads out of the folder that the archive is unpacked into. */
export function leadsOut(entryName: string): boolean {
  return /^[/\\]/.test(entryName) || /^[a-z]:/i.test(entryName) || entryName.split(/[/\\]/).includes('..');
}
