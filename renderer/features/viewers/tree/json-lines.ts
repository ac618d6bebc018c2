import type { RecordCutter } from '../records/record-feed.ts';
import { jsonTree } from './json-tree.ts';
import { leaf, memoized, type TreeNode } from './tree-node.ts';

/** Limit of a line. A longer line is cut, but remains one record. */
const longestLine = 4 * 1024 * 1024;

interface TextLine {
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

/** Returns the tree row for one line. Parses the content when the row is opened, and shows a line that is not JSON as text. */
export function jsonLine({ text, isCut }: TextLine, at: number): TreeNode {
  const name = String(at + 1);
  const first = text.trimStart()[0];
  if (isCut || (first !== '{' && first !== '[')) {
    const node = isCut ? null : jsonTree(text, name);
    return node ?? leaf(name, 'broken', text);
  }
  const read = memoized(() => jsonTree(text, name));
  const shown = leaf(name, first === '{' ? 'object' : 'array', text.trim());
  return {
    ...shown,
    // Shows a line that begins like an object as one with content, since it is not parsed yet.
    count: 1,
    children: () => read()?.children() ?? [leaf('', 'broken', text)],
  };
}
