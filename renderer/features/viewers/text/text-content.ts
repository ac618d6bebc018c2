/** Limit of indentation, which deeper levels share. Without it, nested brackets would grow with the square of their depth. */
const deepestIndent = 60;
const jsonToken = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gu;

/**
 * Returns valid JSON with two spaces of indentation per level, or null for anything else. Keeps names, strings and numbers as
 * written: parsing and printing would change `10.0`, `1e5`, `a\/b` and long numbers.
 */
export function formattedJson(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    // The text is not JSON. The window shows it unformatted, with a note.
    return null;
  }
  const pieces: string[] = [];
  let depth = 0;
  let before = '';
  for (const [token] of text.matchAll(jsonToken)) {
    const isOpening = before === '{' || before === '[';
    const isClosing = token === '}' || token === ']';
    if (isClosing) depth -= 1;
    const isEmptyPair = isOpening && isClosing;
    if ((isOpening || isClosing || before === ',') && !isEmptyPair)
      pieces.push('\n', '  '.repeat(Math.min(depth, deepestIndent)));
    pieces.push(token === ':' ? ': ' : token);
    if (token === '{' || token === '[') depth += 1;
    before = token;
  }
  return pieces.join('');
}
