/**
 * Decodes a value of a listing with encoding-type=url: `+` is a space, `%2B` a plus, the rest UTF-8 (backlot#178). Throws a
 * RangeError for an invalid encoding.
 */
export function decodeListed(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new RangeError('not percent-encoded UTF-8');
  }
}
