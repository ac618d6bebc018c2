import type { TreeKind, TreeNode } from './tree-node.ts';

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
interface PlainNode {
  readonly name: string;
  readonly kind: TreeKind;
  readonly text: string;
  readonly count: number;
  readonly inside: readonly PlainNode[];
}

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
