/** The usual form in responses about objects; days that not every month has are left to the calendar. */
const httpDate =
  /^[A-Z][a-z]{2}, (0[1-9]|1\d|2[0-8]) ([A-Z][a-z]{2}) (\d{4}) ((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d) GMT$/;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Converts a time to ISO 8601; null if it is not readable. */
export function parseTime(text: string | null): string | null {
  if (text === null || text.trim() === '') return null;
  // Skips parsing for the usual form, which occurs up to a thousand times per page.
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return text;
  const http = httpDate.exec(text);
  const month = months.indexOf(http?.[2] ?? '') + 1;
  if (http !== null && month > 0) {
    const [, day = '', , year = '', time = ''] = http;
    return `${year}-${String(month).padStart(2, '0')}-${day}T${time}.000Z`;
  }
  const trimmed = text.trim();
  // Services mean UTC if they name no zone; Date.parse would assume the local one.
  const hasZone = /(?:Z|[A-Za-z]{3,4}|[+-]\d\d:?\d\d)$/.test(trimmed);
  const isIso = /^\d{4}-\d\d-\d\d[T ]/.test(trimmed);
  const atMs = Date.parse(hasZone ? trimmed : isIso ? `${trimmed.replace(' ', 'T')}Z` : `${trimmed} UTC`);
  return Number.isNaN(atMs) ? null : new Date(atMs).toISOString();
}
