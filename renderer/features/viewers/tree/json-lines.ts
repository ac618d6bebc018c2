import type { TextLine } from '../records/line-cutter.ts';
import { jsonTree } from './json-tree.ts';
import { leaf, once, type TreeNode } from './tree-node.ts';

/** Makes a row of the tree from one line. Its content is parsed when it is opened. A line that is not JSON is shown as text. */
export function jsonLine({ text, isCut }: TextLine, at: number): TreeNode {
  const name = String(at + 1);
  const first = text.trimStart()[0];
  if (isCut || (first !== '{' && first !== '[')) {
    const node = isCut ? null : jsonTree(text, name);
    return node ?? leaf(name, 'broken', text);
  }
  const read = once(() => jsonTree(text, name));
  const shown = leaf(name, first === '{' ? 'object' : 'array', text.trim());
  return {
    ...shown,
    // The line is not parsed yet, so it counts as an object with content if it begins like one.
    count: 1,
    children: () => read()?.children() ?? [leaf('', 'broken', text)],
  };
}
