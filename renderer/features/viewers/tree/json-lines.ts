import type { TextLine } from '../records/line-cutter.ts';
import { jsonTree } from './json-tree.ts';
import { leaf, memoized, type TreeNode } from './tree-node.ts';

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
