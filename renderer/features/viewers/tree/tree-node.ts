/** The kind of a tree row. Determines its colour but not its behaviour. */
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

/** A node of a document. Its children are read when it is opened for the first time. */
export interface TreeNode {
  /** The name of a member, the index of an element, the name of a tag; '' if it has none. */
  readonly name: string;
  readonly kind: TreeKind;
  /** The value as written; '' for an object or array. */
  readonly text: string;
  /** The number of children; 0: it cannot be opened. For `more`: the number left out. */
  readonly count: number;
  children(): readonly TreeNode[];
}

/** Limit of children that a node shows. */
export const maxChildren = 50_000;
/** Longer values are shortened in their row of the tree. */
export const maxNodeTextLength = 2000;
/** Limit of a value that is shown below the tree; "Show as text" has longer ones. */
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

/** Returns a function that makes a value at the first call and returns the same value from then on. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
