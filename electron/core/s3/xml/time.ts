/** ISO 8601, or null where there is no readable time. */
export function parseTime(text: string | null): string | null {
  if (text === null || text.trim() === '') return null;
  // What nearly every service writes needs no parsing, a thousand times a page.
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return text;
  const atMs = Date.parse(text.trim());
  return Number.isNaN(atMs) ? null : new Date(atMs).toISOString();
}
