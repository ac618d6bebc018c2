/** The number of pictures that a text shows. */
export const maxPictures = 30;

/** Returns the object key of a picture in or below the text's folder. Null for other folders, other servers and data URLs. */
export function pictureKey(textKey: string, path: string): string | null {
  const [plain = ''] = path.trim().split(/[?#]/, 1);
  if (plain === '' || /^[a-z][a-z\d+.-]*:/i.test(plain) || /^[/\\]/.test(plain)) return null;
  let name: string;
  try {
    name = decodeURIComponent(plain);
  } catch {
    // The path contains a literal percent sign, so it is used without decoding.
    name = plain;
  }
  const segments: string[] = [];
  for (const segment of name.split('/')) {
    if (segment === '.') continue;
    if (segment === '..') {
      if (segments.pop() === undefined) return null;
    } else segments.push(segment);
  }
  const inside = segments.join('/');
  return inside === '' ? null : textKey.slice(0, textKey.lastIndexOf('/') + 1) + inside;
}
