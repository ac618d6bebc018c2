import { assertNever } from '../../../shared/assert-never.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { Connection } from '../../../shared/models/connection.ts';
import type { BucketItem } from '../../../shared/models/objects.ts';

/** What is known of the buckets of one connection. */
export type BucketsState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: AppError }
  /** Listed, or remembered where `error` says that listing was refused. */
  | { readonly kind: 'known'; readonly buckets: readonly BucketItem[]; readonly error: AppError | null };

export type TreeRow =
  | {
      readonly kind: 'connection';
      readonly id: string;
      readonly connection: Connection;
      readonly expanded: boolean;
      readonly position: number;
      readonly setSize: number;
    }
  | {
      readonly kind: 'bucket';
      readonly id: string;
      readonly parentId: string;
      readonly connectionId: string;
      readonly bucket: BucketItem;
      readonly position: number;
      readonly setSize: number;
    }
  | {
      readonly kind: 'note';
      readonly id: string;
      readonly parentId: string;
      readonly connectionId: string;
      readonly note: Note;
      readonly position: number;
      readonly setSize: number;
    }
  | ExtraRow;

/** A row that the application puts below each open connection, before its buckets. */
export type ExtraRow = {
  readonly kind: 'extra';
  readonly id: string;
  readonly parentId: string;
  readonly connectionId: string;
  readonly label: string;
  readonly position: number;
  readonly setSize: number;
};

export type Note =
  | { readonly kind: 'loading' }
  | { readonly kind: 'no-buckets' }
  /** Opens a bucket by its name: listing is denied, or the user prefers to type. */
  | { readonly kind: 'open-by-name' }
  | { readonly kind: 'failed'; readonly error: AppError };

export const connectionRowId = (connectionId: string): string => `c:${connectionId}`;
export const extraRowId = (connectionId: string): string => `x:${connectionId}`;
export const bucketRowId = (connectionId: string, bucket: string): string => `b:${connectionId}:${bucket}`;

function childrenOf(
  connectionId: string,
  state: BucketsState,
  extraLabel: string | null,
): readonly TreeRow[] {
  const parentId = connectionRowId(connectionId);
  const extras = extraLabel === null ? 0 : 1;
  const children = [...(state.kind === 'known' ? state.buckets : []), ...notesOf(state)] as const;
  const setSize = children.length + extras;
  const rows = children.map((child, index): TreeRow => {
    const place = { parentId, connectionId, position: index + 1 + extras, setSize };
    return 'name' in child
      ? { kind: 'bucket', id: bucketRowId(connectionId, child.name), bucket: child, ...place }
      : { kind: 'note', id: `n:${connectionId}:${child.kind}`, note: child, ...place };
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

/** The tree as the rows that are on the screen, from the top. */
export function treeRows(
  connections: readonly Connection[],
  expanded: ReadonlySet<string>,
  buckets: ReadonlyMap<string, BucketsState>,
  extraLabel: string | null = null,
): readonly TreeRow[] {
  return connections.flatMap((connection, index): readonly TreeRow[] => {
    const open = expanded.has(connection.id);
    const row: TreeRow = {
      kind: 'connection',
      id: connectionRowId(connection.id),
      connection,
      expanded: open,
      position: index + 1,
      setSize: connections.length,
    };
    return open
      ? [row, ...childrenOf(connection.id, buckets.get(connection.id) ?? { kind: 'loading' }, extraLabel)]
      : [row];
  });
}

export type TreeMove =
  | { readonly kind: 'focus'; readonly rowId: string }
  | { readonly kind: 'expand'; readonly connectionId: string }
  | { readonly kind: 'collapse'; readonly connectionId: string };

/** What a key does, by the tree pattern of the ARIA Authoring Practices; null where it does nothing. */
export function moveByKey(rows: readonly TreeRow[], focusedId: string | null, key: string): TreeMove | null {
  const at = rows.findIndex((row) => row.id === focusedId);
  const row = rows[at];
  const focus = (target: TreeRow | undefined): TreeMove | null =>
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
      if (row?.kind !== 'connection') return null;
      return row.expanded ? focus(rows[at + 1]) : { kind: 'expand', connectionId: row.connection.id };
    case 'ArrowLeft':
      if (row === undefined) return null;
      if (row.kind !== 'connection') return { kind: 'focus', rowId: row.parentId };
      return row.expanded ? { kind: 'collapse', connectionId: row.connection.id } : null;
    default:
      return null;
  }
}

export function labelOf(row: TreeRow): string {
  switch (row.kind) {
    case 'connection':
      return row.connection.name;
    case 'bucket':
      return row.bucket.name;
    case 'extra':
      return row.label;
    case 'note':
      return '';
    default:
      return assertNever(row);
  }
}

/** The next row whose name starts with what was typed, beginning behind the focused one and going round. */
export function typeAhead(rows: readonly TreeRow[], focusedId: string | null, typed: string): string | null {
  const at = rows.findIndex((row) => row.id === focusedId);
  // A longer text keeps the row that fits already; a single letter goes on to the next.
  const from = typed.length > 1 ? Math.max(at, 0) : at + 1;
  const wanted = typed.toLocaleLowerCase();
  const ring = [...rows.slice(from), ...rows.slice(0, from)];
  return ring.find((row) => labelOf(row).toLocaleLowerCase().startsWith(wanted))?.id ?? null;
}

/** The ids with one moved before or behind another; unchanged where either is missing. */
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

/** The ids with one moved a step up or down; unchanged at the ends. */
export function steppedIds(ids: readonly string[], moved: string, step: -1 | 1): readonly string[] {
  const at = ids.indexOf(moved);
  const target = ids[at + step];
  if (at === -1 || target === undefined) return ids;
  return movedIds(ids, moved, target, step === 1 ? 'after' : 'before');
}
