/** The kind of value in a tree row. It determines the colour but not the behaviour. */
export type TreeKind =
  | 'object'
  | 'array'
  | 'string'
  | 'number'
  /** `true`, `false` or `null`. */
  | 'word'
  | 'element'
  | 'attribute'
  | 'text'
  | 'comment'
  /** Represents the children beyond the limit. */
  | 'more'
  /** Content that could not be parsed. */
  | 'broken';

/** A node in a document. The children are read when the user first opens the node. */
export interface TreeNode {
  /** The name of a member or tag, or the index of an element. '' for a node without a name. */
  readonly name: string;
  readonly kind: TreeKind;
  /** The value as written, or '' for an object or array. */
  readonly text: string;
  /** The number of children; a node with 0 cannot be opened. For `more`, the number of children left out. */
  readonly count: number;
  children(): readonly TreeNode[];
}

/** Limit of children that a node shows. */
export const maxChildren = 50_000;
/** Limit of a value in a tree row. Longer values are shortened. */
export const maxNodeTextLength = 2000;
/** Limit of a value shown below the tree. "Show as text" shows longer values. */
export const maxWholeNodeTextLength = 1_000_000;

export const noChildren = (): readonly TreeNode[] => [];

export function leaf(name: string, kind: TreeKind, text: string): TreeNode {
  return { name, kind, text, count: 0, children: noChildren };
}

export function moreNode(count: number): TreeNode {
  return { name: '', kind: 'more', text: '', count, children: noChildren };
}

export function shortenText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`;
}

/** Returns a function that makes a value on the first call, and returns the same value on later calls. */
export function memoized<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
