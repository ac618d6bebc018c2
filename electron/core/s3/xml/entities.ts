const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Decodes the five entities of XML and character references, once (minio-js#943). Keeps control characters, although XML 1.0
 * forbids them: a key may contain them, and without them it would be another key. Throws a SyntaxError for an invalid reference.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&\s]{0,32});?/g, (whole: string, name: string) => {
    const decoded = whole.endsWith(';') ? decodeOne(name) : null;
    if (decoded === null) throw new SyntaxError(`"${whole}" is no character reference`);
    return decoded;
  });
}

function decodeOne(name: string): string | null {
  if (!name.startsWith('#')) return Object.hasOwn(named, name) ? (named[name] ?? null) : null;
  const digits = /^#(?:x([0-9A-Fa-f]{1,6})|([0-9]{1,7}))$/.exec(name);
  if (!digits) return null;
  const point = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16);
  const surrogate = point >= 0xd800 && point <= 0xdfff;
  return point > 0x10ffff || surrogate ? null : String.fromCodePoint(point);
}
