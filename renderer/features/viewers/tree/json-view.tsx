import type { ViewerProps } from '../frame/viewer.ts';
import { DocumentView } from './document-view.tsx';
import { jsonTree } from './json-tree.ts';
import type { TreeNode } from './tree-node.ts';

export function JsonView({ file }: ViewerProps) {
  return <DocumentView file={file} format="JSON" read={read} />;
}

function read(text: string): readonly TreeNode[] | null {
  const tree = jsonTree(text);
  return tree === null ? null : [tree];
}
