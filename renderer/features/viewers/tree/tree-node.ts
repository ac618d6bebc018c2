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

/** One visible row: its node, depth and position among its siblings. */
export interface DocumentTreeRow {
  readonly node: TreeNode;
  readonly level: number;
  readonly isOpen: boolean;
  /** The row's position among its siblings, from 1. */
  readonly position: number;
  readonly siblings: number;
}

/** Limit of rows opened automatically when a document is shown. */
const openedRows = 200;

export function treeRowsOf(nodes: readonly TreeNode[], level: number): readonly DocumentTreeRow[] {
  return nodes.map((node, at) => ({ node, level, isOpen: false, position: at + 1, siblings: nodes.length }));
}

/** Returns the rows of a document. Opens the first levels as long as the list stays short. */
export function openedTree(roots: readonly TreeNode[]): readonly DocumentTreeRow[] {
  let rows = treeRowsOf(roots, 1);
  for (const level of [1, 2]) {
    const inside = rows
      .filter((row) => row.level === level)
      .reduce((total, { node }) => total + node.count, 0);
    if (rows.length + inside > openedRows) break;
    for (let at = rows.length - 1; at >= 0; at -= 1)
      if (rows[at]?.level === level && canOpen(rows[at])) rows = toggleExpanded(rows, at);
  }
  return rows;
}

export function canOpen(row: DocumentTreeRow | undefined): boolean {
  return row !== undefined && row.node.count > 0 && row.node.kind !== 'more';
}

/** Returns the rows after opening the row at an index, or closing it with all its descendants. */
export function toggleExpanded(rows: readonly DocumentTreeRow[], at: number): readonly DocumentTreeRow[] {
  const row = rows[at];
  if (row === undefined || !canOpen(row)) return rows;
  const changed = { ...row, isOpen: !row.isOpen };
  if (row.isOpen) return [...rows.slice(0, at), changed, ...rows.slice(endOf(rows, at))];
  const inside = treeRowsOf(row.node.children(), row.level + 1);
  return [...rows.slice(0, at), changed].concat(inside, rows.slice(at + 1));
}

/** Returns the index after the last row inside the row at `at`. */
function endOf(rows: readonly DocumentTreeRow[], at: number): number {
  const level = rows[at]?.level ?? 0;
  let end = at + 1;
  while (end < rows.length && (rows[end]?.level ?? 0) > level) end += 1;
  return end;
}

/** Returns the index of the parent row, or -1 for a root. */
function parentRow(rows: readonly DocumentTreeRow[], at: number): number {
  const level = rows[at]?.level ?? 1;
  let parent = at - 1;
  while (parent >= 0 && (rows[parent]?.level ?? 0) >= level) parent -= 1;
  return parent;
}

/** Returns the names of the ancestors of a row and of the row itself, outermost first. */
export function pathTo(rows: readonly DocumentTreeRow[], at: number): readonly string[] {
  const names: string[] = [];
  for (let place = at; place >= 0; place = parentRow(rows, place))
    names.unshift(rows[place]?.node.name ?? '');
  return names.filter((name) => name !== '');
}

type TreeStep =
  { readonly kind: 'go'; readonly to: number } | { readonly kind: 'toggle' } | { readonly kind: 'none' };

/** Returns the action for ArrowRight, ArrowLeft, Enter or Space (ARIA APG, tree view). */
export function stepOf(key: string, rows: readonly DocumentTreeRow[], at: number): TreeStep {
  const row = rows[at];
  if (row === undefined) return { kind: 'none' };
  switch (key) {
    case 'ArrowRight':
      if (!canOpen(row)) return { kind: 'none' };
      return row.isOpen ? { kind: 'go', to: at + 1 } : { kind: 'toggle' };
    case 'ArrowLeft':
      if (row.isOpen) return { kind: 'toggle' };
      return parentRow(rows, at) < 0 ? { kind: 'none' } : { kind: 'go', to: parentRow(rows, at) };
    case 'Enter':
    case ' ':
      return canOpen(row) ? { kind: 'toggle' } : { kind: 'none' };
    default:
      return { kind: 'none' };
  }
}
