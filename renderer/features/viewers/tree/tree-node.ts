/** The kind of a tree row; sets its colour, never its behaviour. */
export type TreeKind =
  | 'object'
  | 'array'
  | 'string'
  | 'number'
  /** true, false, null. */
  | 'word'
  | 'element'
  | 'attribute'
  | 'text'
  | 'comment'
  /** Represents the children beyond the limit. */
  | 'more'
  /** A part that could not be read. */
  | 'broken';

/** One place in a document. What is inside is read when it is opened for the first time. */
export interface TreeNode {
  /** The name of a member, the index of an element, the name of a tag; '' where there is none. */
  readonly name: string;
  readonly kind: TreeKind;
  /** The value as it was written, shortened; of an object or array ''. */
  readonly text: string;
  /** How many children it has; 0: it cannot be opened. With `more`: how many are left out. */
  readonly count: number;
  children(): readonly TreeNode[];
}

/** Beyond this a node shows only its first children. */
export const mostChildren = 50_000;
/** Longer values are shortened in the tree; "Show as text" has them all. */
export const maxNodeTextLength = 2000;

export const noChildren = (): readonly TreeNode[] => [];

export function leaf(name: string, kind: TreeKind, text: string): TreeNode {
  return { name, kind, text: shortenText(text), count: 0, children: noChildren };
}

export function moreNode(count: number): TreeNode {
  return { name: '', kind: 'more', text: '', count, children: noChildren };
}

export function shortenText(text: string): string {
  return text.length <= maxNodeTextLength ? text : `${text.slice(0, maxNodeTextLength).toWellFormed()}…`;
}

/** Makes something at the first call, and gives the same from then on. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
