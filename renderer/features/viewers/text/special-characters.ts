const special =
  // oxlint-disable-next-line no-control-regex -- finds control characters; the set is the editor's
  /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028\u2029\u202d\u202e\u2066\u2067\u2069\ufeff\ufff9-\ufffc]/g;
const lineEnd = /\r\n|\r|\n/g;

/** Limit of marks in one line, since the editor adds an element for each mark. */
const maxMarked = 1000;

/**
 * Returns a text whose lines the editor can draw quickly. The editor marks each control character with an element, so a line of
 * zeros would block the window for minutes. Such a line gets visible symbols instead, one for each.
 */
export function drawableText(text: string): string {
  const pieces: string[] = [];
  let at = 0;
  for (const line of linesOf(text)) {
    if (!isCrowded(line)) continue;
    pieces.push(text.slice(at, line.start), line.text.replaceAll(special, signFor));
    at = line.start + line.text.length;
  }
  return at === 0 ? text : pieces.join('') + text.slice(at);
}

/** Returns true if a line has more control characters than the editor can mark. */
export function hasCrowdedLine(text: string): boolean {
  return linesOf(text).some(isCrowded);
}

interface Line {
  readonly start: number;
  readonly text: string;
}

/** Yields the lines that are long enough to exceed the limit. */
function* linesOf(text: string): Generator<Line> {
  if (text.length <= maxMarked) return;
  let start = 0;
  for (const { index, 0: end } of text.matchAll(lineEnd)) {
    if (index - start > maxMarked) yield { start, text: text.slice(start, index) };
    start = index + end.length;
  }
  if (text.length - start > maxMarked) yield { start, text: text.slice(start) };
}

function isCrowded({ text }: Line): boolean {
  return text.matchAll(special).drop(maxMarked).next().done !== true;
}

/** Returns the symbol for a control character. Unicode has symbols for the first 32 and for DEL, from U+2400. */
function signFor(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 32) return String.fromCharCode(0x2400 + code);
  return code === 127 ? '\u2421' : '\u00b7';
}
