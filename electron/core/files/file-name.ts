const maxBytes = 200;

/** Converts a name from a page into a single path segment that is valid on any system. */
export function safeFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  // Replaces control characters and those that Windows interprets.
  // oxlint-disable-next-line no-control-regex -- the expression replaces control characters
  const plain = last.toWellFormed().replaceAll(/[\u0000-\u001f\u007f<>:"|?*]/g, '_');
  let name = '';
  let bytes = 0;
  for (const character of plain) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    name += character;
  }
  name = name.replace(/[. ]+$/, '');
  if (name === '') return 'file';
  return /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name) ? `_${name}` : name;
}
