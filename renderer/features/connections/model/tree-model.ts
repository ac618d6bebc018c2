import { assertNever } from '../../../../shared/assert-never.ts';
import { lastSegment } from '../../../../shared/keys/paths.ts';
import type { AppError } from '../../../../shared/errors.ts';
import type { Connection } from '../../../../shared/models/connection.ts';
import type { BucketItem } from '../../../../shared/models/objects.ts';
import { nextByName } from '../../../ui/table/type-ahead.ts';
import type { CurrentPlace } from './connection-places.ts';
import {
  ancestorPrefixes,
  folderRows,
  nodeId,
  type ChildRow,
  type FolderNode,
  type FolderTree,
  type FolderTreeRow,
} from './tree-folders.ts';

/** The known buckets of one connection. */
export type BucketsState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: AppError }
  /** The listed buckets, or remembered buckets if `error` says that listing was denied. */
  | { readonly kind: 'known'; readonly buckets: readonly BucketItem[]; readonly error: AppError | null };

export type ConnectionTreeRow =
  | (Omit<ChildRow, 'parentId'> & {
      readonly kind: 'connection';
      readonly connection: Connection;
      readonly expanded: boolean;
    })
  | (ChildRow & { readonly connectionId: string } & (
        | { readonly kind: 'bucket'; readonly bucket: BucketItem; readonly expanded: boolean }
        | { readonly kind: 'note'; readonly note: Note }
        /** A row that the application puts below each open connection, before its buckets. */
        | { readonly kind: 'extra'; readonly label: string }
      ))
  | FolderTreeRow;

export type Note =
  | { readonly kind: 'loading' }
  | { readonly kind: 'no-buckets' }
  /** A row to enter a bucket's name, for example because listing is denied. */
  | { readonly kind: 'open-by-name' }
  | { readonly kind: 'failed'; readonly error: AppError };

export const connectionRowId = (connectionId: string): string => `c:${connectionId}`;
export const extraRowId = (connectionId: string): string => `x:${connectionId}`;
export const bucketRowId = (connectionId: string, bucket: string): string => `b:${connectionId}:${bucket}`;

function childrenOf(
  connectionId: string,
  state: BucketsState,
  extraLabel: string | null,
  tree: FolderTree,
): readonly ConnectionTreeRow[] {
  const parentId = connectionRowId(connectionId);
  const extras = extraLabel === null ? 0 : 1;
  const children = [...(state.kind === 'known' ? state.buckets : []), ...notesOf(state)] as const;
  const setSize = children.length + extras;
  const rows = children.flatMap((child, index): readonly ConnectionTreeRow[] => {
    const place = { parentId, connectionId, position: index + 1 + extras, setSize };
    if (!('name' in child))
      return [{ kind: 'note', id: `n:${connectionId}:${child.kind}`, note: child, ...place }];
    const node = { connectionId, bucket: child.name, prefix: '' };
    const expanded = tree.expanded.has(nodeId(node));
    const id = bucketRowId(connectionId, child.name);
    const row: ConnectionTreeRow = { kind: 'bucket', id, bucket: child, expanded, ...place };
    return expanded ? [row, ...folderRows(node, id, 3, tree)] : [row];
  });
  if (extraLabel === null) return rows;
  const id = extraRowId(connectionId);
  return [{ kind: 'extra', id, parentId, connectionId, label: extraLabel, position: 1, setSize }, ...rows];
}

function notesOf(state: BucketsState): readonly Note[] {
  switch (state.kind) {
    case 'loading':
      return [{ kind: 'loading' }];
    case 'failed':
      return [{ kind: 'failed', error: state.error }];
    case 'known':
      if (state.error === null) return state.buckets.length === 0 ? [{ kind: 'no-buckets' }] : [];
      return state.error.code === 'access-denied'
        ? [{ kind: 'open-by-name' }]
        : [{ kind: 'failed', error: state.error }, { kind: 'open-by-name' }];
    default:
      return assertNever(state);
  }
}

/** Returns the start locations of connections whose buckets the service did not list. */
export function unlistedStarts(buckets: ReadonlyMap<string, BucketsState>): readonly FolderNode[] {
  return [...buckets].flatMap(([connectionId, state]) =>
    state.kind !== 'known'
      ? []
      : state.buckets
          .filter(({ startPrefix }) => startPrefix !== '')
          .map(({ name, startPrefix }) => ({ connectionId, bucket: name, prefix: startPrefix })),
  );
}

const noFolders: Omit<FolderTree, 'expanded'> = { folders: new Map(), current: null };

/** Returns the visible rows of the tree, top to bottom. */
export function treeRows(
  connections: readonly Connection[],
  expanded: ReadonlySet<string>,
  buckets: ReadonlyMap<string, BucketsState>,
  extraLabel: string | null = null,
  folders: Omit<FolderTree, 'expanded'> = noFolders,
): readonly ConnectionTreeRow[] {
  const tree = { ...folders, expanded };
  return connections.flatMap((connection, index): readonly ConnectionTreeRow[] => {
    const open = expanded.has(connection.id);
    const row: ConnectionTreeRow = {
      kind: 'connection',
      id: connectionRowId(connection.id),
      connection,
      expanded: open,
      position: index + 1,
      setSize: connections.length,
    };
    return open
      ? [
          row,
          ...childrenOf(connection.id, buckets.get(connection.id) ?? { kind: 'loading' }, extraLabel, tree),
        ]
      : [row];
  });
}

type NodeRow = Extract<ConnectionTreeRow, { readonly expanded: boolean }>;

/** Returns true if the row can be expanded. */
export function isNode(row: ConnectionTreeRow): row is NodeRow {
  return 'expanded' in row;
}

/** Returns a row's id in the set of open nodes. */
export function openId(row: NodeRow): string {
  switch (row.kind) {
    case 'connection':
      return row.connection.id;
    case 'bucket':
      return nodeId({ connectionId: row.connectionId, bucket: row.bucket.name, prefix: '' });
    case 'folder':
      return row.id;
    default:
      return assertNever(row);
  }
}

/** Returns the id of the row of the current location, or of its nearest parent with a row. `indexes` has the ids of all rows. */
export function currentRowId(
  current: CurrentPlace | null,
  indexes: ReadonlyMap<string, number>,
): string | null {
  if (current === null) return null;
  if (current.isExtra === true) return extraRowId(current.connectionId);
  const { connectionId, bucket, prefix = '' } = current;
  if (bucket === null) return connectionRowId(connectionId);
  const path = ancestorPrefixes(prefix).map((above) => nodeId({ connectionId, bucket, prefix: above }));
  const nearest = path.findLast((id) => indexes.has(id));
  return nearest ?? bucketRowId(connectionId, bucket);
}

export type TreeMove =
  | { readonly kind: 'focus'; readonly rowId: string }
  /** `id`: the id in the set of open nodes. */
  | { readonly kind: 'expand'; readonly id: string }
  | { readonly kind: 'collapse'; readonly id: string };

/** Returns the action for a key in a tree (ARIA Authoring Practices), or null. */
export function moveByKey(
  rows: readonly ConnectionTreeRow[],
  focusedId: string | null,
  key: string,
): TreeMove | null {
  const at = rows.findIndex((row) => row.id === focusedId);
  const row = rows[at];
  const focus = (target: ConnectionTreeRow | undefined): TreeMove | null =>
    target === undefined ? null : { kind: 'focus', rowId: target.id };
  switch (key) {
    case 'ArrowDown':
      return focus(rows[at + 1]);
    case 'ArrowUp':
      return focus(at === -1 ? rows.at(-1) : rows[at - 1]);
    case 'Home':
      return focus(rows[0]);
    case 'End':
      return focus(rows.at(-1));
    case 'ArrowRight':
      if (row === undefined || !isNode(row)) return null;
      return row.expanded ? focus(rows[at + 1]) : { kind: 'expand', id: openId(row) };
    case 'ArrowLeft':
      if (row === undefined) return null;
      if (isNode(row) && row.expanded) return { kind: 'collapse', id: openId(row) };
      return row.kind === 'connection' ? null : { kind: 'focus', rowId: row.parentId };
    default:
      return null;
  }
}

export function treeRowLabel(row: ConnectionTreeRow): string {
  switch (row.kind) {
    case 'connection':
      return row.connection.name;
    case 'bucket':
      return row.bucket.name;
    case 'extra':
      return row.label;
    case 'folder':
      return lastSegment(row.prefix);
    case 'more':
    case 'note':
      return '';
    default:
      return assertNever(row);
  }
}

/** Returns the next row, after the focused row and wrapping around, whose name starts with the typed text. */
export function findTreeRow(
  rows: readonly ConnectionTreeRow[],
  focusedId: string | null,
  typed: string,
): string | null {
  const at = rows.findIndex((row) => row.id === focusedId);
  return rows[nextByName(rows.map(treeRowLabel), at, typed)]?.id ?? null;
}

/** Returns the ids after moving one of them before or after another. Unchanged if one of the two is missing. */
export function movedIds(
  ids: readonly string[],
  moved: string,
  target: string,
  side: 'before' | 'after',
): readonly string[] {
  if (moved === target || !ids.includes(moved) || !ids.includes(target)) return ids;
  const rest = ids.filter((id) => id !== moved);
  const at = rest.indexOf(target) + (side === 'after' ? 1 : 0);
  return rest.toSpliced(at, 0, moved);
}

/** Returns the ids after moving one of them a step up or down. Unchanged at the ends. */
export function steppedIds(ids: readonly string[], moved: string, step: -1 | 1): readonly string[] {
  const at = ids.indexOf(moved);
  const target = ids[at + step];
  if (at === -1 || target === undefined) return ids;
  return movedIds(ids, moved, target, step === 1 ? 'after' : 'before');
}
