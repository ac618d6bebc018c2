import type { RecordCutter } from './record-feed.ts';

/** Limit of a line. A longer line is cut, but remains one record. */
export const longestLine = 4 * 1024 * 1024;

export interface TextLine {
  readonly text: string;
  readonly isCut: boolean;
}

/** Cuts text into lines and leaves out empty lines. */
export function lineCutter(longest: number = longestLine): RecordCutter<TextLine> {
  let line = '';
  let isCut = false;
  const add = (text: string): void => {
    const fits = text.slice(0, longest - line.length);
    line += fits;
    isCut ||= fits.length < text.length;
  };
  const endLine = (lines: TextLine[]): void => {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (text.trim() !== '') lines.push({ text, isCut });
    line = '';
    isCut = false;
  };
  return {
    push: (text) => {
      const lines: TextLine[] = [];
      let at = 0;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
        add(text.slice(at, end));
        endLine(lines);
        at = end + 1;
      }
      add(text.slice(at));
      return lines;
    },
    end: () => {
      const lines: TextLine[] = [];
      endLine(lines);
      return lines;
    },
  };
}
