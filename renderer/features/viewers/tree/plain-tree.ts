import type { PlainNode } from './document-messages.ts';
import type { TreeNode } from './tree-node.ts';

/** Limit of nodes sent to the window. */
const maxNodes = 300_000;
/** Limit of nesting, since copying between threads recurses into each level. */
const deepest = 1000;

/** Converts a tree to plain data. Returns null if the tree is too large or too deep. */
export function plainTree(roots: readonly TreeNode[]): readonly PlainNode[] | null {
  let nodes = 0;
  const plain = (node: TreeNode, depth: number): PlainNode | null => {
    nodes += 1;
    if (nodes > maxNodes || depth > deepest) return null;
    const { name, kind, text, count } = node;
    const inside: PlainNode[] = [];
    for (const child of node.children()) {
      const made = plain(child, depth + 1);
      if (made === null) return null;
      inside.push(made);
    }
    return { name, kind, text, count, inside };
  };
  const made: PlainNode[] = [];
  for (const root of roots) {
    const tree = plain(root, 1);
    if (tree === null) return null;
    made.push(tree);
  }
  return made;
}

/** Restores a tree from plain data. */
export function treeOf(nodes: readonly PlainNode[]): readonly TreeNode[] {
  return nodes.map(({ inside, ...node }) => ({ ...node, children: () => treeOf(inside) }));
}
