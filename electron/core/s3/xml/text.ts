const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Decodes the five entities of XML and character references, once (minio-js#943). Keeps control characters, although XML 1.0
 * forbids them: a key may contain them, and without them it would be another key. Throws a SyntaxError for an invalid reference.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&\s]{0,32});?/g, (whole: string, name: string) => {
    const decoded = whole.endsWith(';') ? decodeReference(name) : null;
    if (decoded === null) throw new SyntaxError(`"${whole}" is not a character reference`);
    return decoded;
  });
}

function decodeReference(name: string): string | null {
  if (!name.startsWith('#')) return Object.hasOwn(named, name) ? (named[name] ?? null) : null;
  const digits = /^#(?:x([0-9A-Fa-f]{1,6})|([0-9]{1,7}))$/.exec(name);
  if (!digits) return null;
  const point = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16);
  const surrogate = point >= 0xd800 && point <= 0xdfff;
  return point > 0x10ffff || surrogate ? null : String.fromCodePoint(point);
}

/** Matches the usual time format of HTTP up to the 28th. Date.parse handles later days, because not all months have them. */
const httpDate =
  /^[A-Z][a-z]{2}, (0[1-9]|1\d|2[0-8]) ([A-Z][a-z]{2}) (\d{4}) ((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d) GMT$/;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Converts a time to ISO 8601; null if it cannot be parsed. */
export function parseTime(text: string | null): string | null {
  if (text === null || text.trim() === '') return null;
  // A fast path for the usual format, which occurs up to a thousand times on a page.
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return text;
  const http = httpDate.exec(text);
  const month = months.indexOf(http?.[2] ?? '') + 1;
  if (http !== null && month > 0) {
    const [, day = '', , year = '', time = ''] = http;
    return `${year}-${String(month).padStart(2, '0')}-${day}T${time}.000Z`;
  }
  const trimmed = text.trim();
  // A time without a zone is in UTC, but Date.parse would read it as local time.
  const hasZone = /(?:Z|[A-Za-z]{3,4}|[+-]\d\d:?\d\d)$/.test(trimmed);
  const isIso = /^\d{4}-\d\d-\d\d[T ]/.test(trimmed);
  const atMs = Date.parse(hasZone ? trimmed : isIso ? `${trimmed.replace(' ', 'T')}Z` : `${trimmed} UTC`);
  return Number.isNaN(atMs) ? null : new Date(atMs).toISOString();
}
