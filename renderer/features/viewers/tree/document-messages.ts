import type { TreeNode } from './tree-node.ts';

export type DocumentFormat = 'JSON' | 'YAML' | 'XML';

/** Messages from the window to the worker that parses documents. */
export interface DocumentQuestion {
  readonly format: DocumentFormat;
  readonly text: string;
}

export type DocumentResponse =
  | { readonly kind: 'tree'; readonly roots: readonly PlainNode[] }
  /** The text is valid JSON. The window parses it in pieces as the user opens nodes. */
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid' }
  /** The document has more nodes than the window can show. */
  | { readonly kind: 'too-complex' };

/** A tree node of a document with all descendants, as sent between threads. */
interface PlainNode extends Omit<TreeNode, 'children'> {
  readonly inside: readonly PlainNode[];
}

/** Limit of nodes sent to the window. */
const maxNodes = 300_000;
/** Limit of nesting, since copying between threads recurses into each level. */
const deepest = 1000;

/** Converts a tree to plain data. Throws RangeError if the tree is too large or too deep. */
export function plainTree(roots: readonly TreeNode[]): readonly PlainNode[] {
  let nodes = 0;
  const plain = (node: TreeNode, depth: number): PlainNode => {
    nodes += 1;
    if (nodes > maxNodes || depth > deepest) throw new RangeError('The tree is too large for the window.');
    const { name, kind, text, count } = node;
    return { name, kind, text, count, inside: node.children().map((child) => plain(child, depth + 1)) };
  };
  return roots.map((root) => plain(root, 1));
}

/** Restores a tree from plain data. */
export function treeOf(nodes: readonly PlainNode[]): readonly TreeNode[] {
  return nodes.map(({ inside, ...node }) => ({ ...node, children: () => treeOf(inside) }));
}
