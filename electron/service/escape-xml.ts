// oxlint-disable-next-line no-control-regex -- control characters must be escaped
const special = /[&<>"\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]/;
// oxlint-disable-next-line no-control-regex -- control characters must be escaped
const specials = /[&<>"\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]/g;
// oxlint-disable-next-line no-control-regex -- XML forbids these control characters
const beyondXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Returns false if the text contains a character that XML 1.0 allows neither literally nor as a reference (2.2 and 4.1). */
export function isXmlText(text: string): boolean {
  return !beyondXml.test(text);
}

/**
 * Escapes text for an element. Replaces characters that XML 1.0 cannot contain by U+FFFD, so that the document is well-formed.
 */
export function escapeXml(text: string): string {
  if (!special.test(text)) return text;
  return text.replace(specials, (char) => named[char] ?? (isXmlText(char) ? reference(char) : '\ufffd'));
}

/** Escapes text as AWS does: characters that XML 1.0 cannot contain become references, which strict parsers reject. */
export function escapeXmlLoosely(text: string): string {
  return special.test(text) ? text.replace(specials, (char) => named[char] ?? reference(char)) : text;
}

function reference(char: string): string {
  return `&#x${char.charCodeAt(0).toString(16)};`;
}
