/** Deeper levels share one indentation: otherwise nested brackets alone would grow with the square of their depth. */
const deepestIndent = 60;
const jsonToken = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gu;

/**
 * Returns valid JSON, indented by two spaces per level; null for anything else. Names, strings and numbers stay as written,
 * repeated names included: parsing and printing would change `10.0`, `1e5`, `a\/b` and long numbers.
 */
export function formattedJson(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    // Not JSON: the window shows the raw text and says so.
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
