const utf16Marks = [
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/** UTF-8 unless a byte order mark says otherwise; what is no text becomes visible replacement characters. */
export function decodeText(content: Uint8Array): string {
  const mark = utf16Marks.find(({ bytes }) => bytes.every((byte, at) => content[at] === byte));
  return new TextDecoder(mark?.encoding ?? 'utf-8').decode(content);
}

/** Deeper levels share one indentation: otherwise nested brackets alone would grow with the square of their depth. */
const deepestIndent = 60;
const jsonToken = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gu;

/**
 * The text of valid JSON, indented by two spaces a level; null for anything else. Each name, string and number stays as it
 * was written, repeated names included: parsing and printing would change `10.0`, `1e5`, `a\/b` and long numbers.
 */
export function formattedJson(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    // Not JSON: the window shows the text as it is and says so.
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

export interface TextBlock {
  readonly text: string;
  readonly lines: number;
}

const linesPerBlock = 200;
const longestLine = 20_000;

/** Cuts a text into blocks of lines, so that the browser lays out only those in sight; very long lines are cut too. */
export function textBlocks(text: string): readonly TextBlock[] {
  const lines = text.split(/\r\n|\n|\r/u).flatMap(shortLines);
  const blocks: TextBlock[] = [];
  for (let from = 0; from < lines.length; from += linesPerBlock) {
    const part = lines.slice(from, from + linesPerBlock);
    blocks.push({ text: part.join('\n'), lines: part.length });
  }
  return blocks;
}

function shortLines(line: string): readonly string[] {
  if (line.length <= longestLine) return [line];
  const parts: string[] = [];
  for (let from = 0; from < line.length; from += longestLine)
    parts.push(line.slice(from, from + longestLine));
  return parts;
}
