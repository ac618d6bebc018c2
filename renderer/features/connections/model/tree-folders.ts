import { z } from 'zod/mini';
import type { AppError } from '../../../../shared/errors.ts';

/** The known folders below a bucket or a folder. */
export type FoldersState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: AppError }
  /**
   * A node opened only to reveal a location, with just the folders on the way to it. `rest` is the state of all other folders.
   */
  | { readonly kind: 'branch'; readonly prefixes: readonly string[]; readonly rest: BranchRest }
  /** `rest`: null if these are all. */
  | { readonly kind: 'known'; readonly prefixes: readonly string[]; readonly rest: ListedRest | null };

/**
 * The state of folders that are not listed. `more`: there are more folders. `unread`: further pages may have folders or only
 * objects. `looking`: further pages are being listed. `none-yet`: several pages had only objects.
 */
type ListedRest = 'more' | 'unread' | 'looking' | 'none-yet';
export type BranchRest = ListedRest | 'loading' | 'failed';

/** The location of a node's folders. */
export interface FolderNode {
  readonly connectionId: string;
  readonly bucket: string;
  /** '' for the bucket itself, otherwise ends in `/`. */
  readonly prefix: string;
}

/** The id of a row, and its place among the rows with the same parent. */
export interface ChildRow {
  readonly id: string;
  readonly parentId: string;
  readonly position: number;
  readonly setSize: number;
}

/** A folder in the tree, or the row after the last folder that loads more. */
export type FolderTreeRow = FolderNode &
  ChildRow & { readonly level: number } & (
    | { readonly kind: 'folder'; readonly expanded: boolean }
    | { readonly kind: 'more'; readonly state: BranchRest | 'empty' }
  );

/** Returns the id of a bucket or folder in the set of open nodes. It never equals the id of a connection. */
export function nodeId({ connectionId, bucket, prefix }: FolderNode): string {
  return `f:${JSON.stringify([connectionId, bucket, prefix])}`;
}

/** Validates stored ids, which another version of Cooper may have written. */
const nodeSchema = z.pipe(
  z.transform((text: string, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.issues.push({ code: 'custom', input: text });
      return z.NEVER;
    }
  }),
  z.tuple([z.string(), z.string(), z.string()]),
);

/** Returns the open buckets and folders whose connection and parents are open too. */
export function openNodes(expanded: ReadonlySet<string>): readonly FolderNode[] {
  return [...expanded].flatMap((id): readonly FolderNode[] => {
    if (!id.startsWith('f:')) return [];
    const node = nodeSchema.safeParse(id.slice(2));
    if (!node.success) return [];
    const [connectionId, bucket, prefix] = node.data;
    const above = prefix === '' ? [] : ['', ...ancestorPrefixes(prefix).slice(0, -1)];
    const isInSight =
      expanded.has(connectionId) &&
      above.every((folder) => expanded.has(nodeId({ connectionId, bucket, prefix: folder })));
    return isInSight ? [{ connectionId, bucket, prefix }] : [];
  });
}

/**
 * Returns the nodes to open so that a location has a row, from its bucket down, each with the next folder on the way. Empty for a
 * bucket itself.
 */
export function pathNodesTo(place: FolderNode) {
  const path = ancestorPrefixes(place.prefix);
  return path.map((child, at) => ({ node: { ...place, prefix: path[at - 1] ?? '' }, child }));
}

/** Returns a prefix after its parents, outermost first. For `a/b/`, these are `a/` and `a/b/`. */
export function ancestorPrefixes(prefix: string): readonly string[] {
  const path: string[] = [];
  for (let end = prefix.indexOf('/'); end !== -1; end = prefix.indexOf('/', end + 1))
    path.push(prefix.slice(0, end + 1));
  return path;
}

export interface FolderTree {
  readonly expanded: ReadonlySet<string>;
  readonly folders: ReadonlyMap<string, FoldersState>;
  /** The current folder. It has a row if its parent is open, even if it is missing from the parent's list. */
  readonly current: FolderNode | null;
}

/** Returns the visible folders below an open node, including those below open subfolders. */
export function folderRows(
  node: FolderNode,
  parentId: string,
  level: number,
  tree: FolderTree,
): readonly FolderTreeRow[] {
  const state = tree.folders.get(nodeId(node)) ?? { kind: 'loading' };
  const prefixes = shownPrefixes(node, state, tree.current);
  const last = lastRow(state, prefixes.length);
  const setSize = prefixes.length + (last === null ? 0 : 1);
  const rows = prefixes.flatMap((prefix, index): readonly FolderTreeRow[] => {
    const at = { ...node, prefix };
    const id = nodeId(at);
    const expanded = tree.expanded.has(id);
    const row = {
      kind: 'folder',
      ...at,
      id,
      parentId,
      level,
      expanded,
      position: index + 1,
      setSize,
    } as const;
    return expanded ? [row, ...folderRows(at, id, level + 1, tree)] : [row];
  });
  if (last === null) return rows;
  const more = { kind: 'more', ...node, id: `m:${nodeId(node)}`, parentId, level, state: last } as const;
  return [...rows, { ...more, position: setSize, setSize }];
}

function shownPrefixes(node: FolderNode, state: FoldersState, current: FolderNode | null): readonly string[] {
  const listed = 'prefixes' in state ? state.prefixes : [];
  const isAbove =
    current !== null &&
    current.connectionId === node.connectionId &&
    current.bucket === node.bucket &&
    current.prefix !== node.prefix &&
    current.prefix.startsWith(node.prefix);
  const next = isAbove
    ? ancestorPrefixes(current.prefix).find((prefix) => prefix.length > node.prefix.length)
    : undefined;
  // Adds the folder on the way to the current location, if the pages listed so far do not contain it.
  return next === undefined || listed.includes(next) ? listed : [...listed, next];
}

/** Returns the state of folders that are not loaded, or null if all folders are loaded. */
export function restOf(state: FoldersState): BranchRest | null {
  return state.kind === 'branch' || state.kind === 'known' ? state.rest : state.kind;
}

function lastRow(state: FoldersState, rowCount: number): BranchRest | 'empty' | null {
  return restOf(state) ?? (rowCount === 0 ? 'empty' : null);
}
