const utf16Marks = [
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/** UTF-8 unless a byte order mark says otherwise; what is no text becomes visible replacement characters. */
export function decodeText(buffer: ArrayBuffer): string {
  const start = new Uint8Array(buffer, 0, Math.min(2, buffer.byteLength));
  const mark = utf16Marks.find(({ bytes }) => bytes.every((byte, at) => start[at] === byte));
  return new TextDecoder(mark?.encoding ?? 'utf-8').decode(buffer);
}

/** The text of valid JSON, indented; null for anything else. Numbers JavaScript would change keep it as it is. */
export function formattedJson(text: string): string | null {
  try {
    const formatted = JSON.stringify(JSON.parse(text), null, 2);
    return withoutSpace(formatted) === withoutSpace(text) ? formatted : null;
  } catch {
    // Not JSON: then it is shown as it is, and the window says so.
    return null;
  }
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/gu, '');
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
