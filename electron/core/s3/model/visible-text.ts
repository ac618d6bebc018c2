/** The beginning of a text for a message: control characters replaced, white space folded, cut to a length. */
export function visibleStart(text: string, maxLength = 200): string {
  const folded = text
    .slice(0, maxLength * 4)
    .replace(/\s+/g, ' ')
    // oxlint-disable-next-line no-control-regex -- they are what is replaced
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
    .trim()
    .toWellFormed();
  return folded.length <= maxLength ? folded : `${folded.slice(0, maxLength).toWellFormed()}…`;
}
