/**
 * Decodes a value from a listing with encoding-type=url: `+` is a space, `%2B` a plus; the rest is percent-encoded UTF-8
 * (backlot#178). Throws a RangeError if it is invalid.
 */
export function decodeListed(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new RangeError('not percent-encoded UTF-8');
  }
}
