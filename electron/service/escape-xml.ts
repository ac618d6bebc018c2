/**
 * Characters that must not appear in text as they are. Characters that XML 1.0 cannot carry at all are written as numeric
 * references all the same, as AWS does it: the key can then be read by a lenient parser and is never changed.
 */
// oxlint-disable-next-line no-control-regex
const special = /[&<>"\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]/;
// oxlint-disable-next-line no-control-regex
const specials = /[&<>"\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]/g;
const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Text for an element's content. */
export function escapeXml(text: string): string {
  if (!special.test(text)) return text;
  return text.replace(specials, (char) => named[char] ?? `&#x${char.charCodeAt(0).toString(16)};`);
}
