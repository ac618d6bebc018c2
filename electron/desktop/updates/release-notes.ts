const longestNotes = 20_000;
const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
};

/** Returns release notes as plain text; null if there are none. GitHub's feed contains HTML, others Markdown or a list. */
export function notesText(given: unknown): string | null {
  if (Array.isArray(given)) {
    const parts = given.map((entry: unknown) => notesText(noteOf(entry))).filter((part) => part !== null);
    return parts.length === 0 ? null : parts.join('\n\n').slice(0, longestNotes);
  }
  if (typeof given !== 'string') return null;
  const text = given
    .slice(0, longestNotes * 4)
    .replace(/<li[^>]*>/giu, '\n- ')
    .replace(/<(?:br|\/p|\/h\d|\/ul|\/ol|\/div|\/tr)[^>]*>/giu, '\n')
    .replace(/<[^>]*>/gu, '')
    .replace(/&(?:lt|gt|quot|#39|nbsp|amp);/gu, (entity) => entities[entity] ?? entity)
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replace(/[ \t]+$/gmu, '')
    .replace(/\n{3,}/gu, '\n\n')
    .trim();
  return text === '' ? null : text.slice(0, longestNotes);
}

function noteOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'note' in entry ? entry.note : null;
}
