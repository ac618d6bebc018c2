import { VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../../shared/models/connection.ts';
import { isCommand } from '../../../ui/keyboard/commands.ts';
import type { MenuPoint } from '../../../ui/menus.tsx';
import { useRenderedRows, useRowFocus } from '../../../ui/table/rendered-rows.ts';
import { useTypedText } from '../../../ui/table/type-ahead.ts';
import {
  type BucketServices,
  startOf,
  type CurrentPlace,
  type Destination,
  type SidebarExtra,
} from '../model/connection-places.ts';
import { ConnectionMenu } from './connection-menu.tsx';
import { openConnectionDialog } from '../model/connection-dialog-store.ts';
import { useBucketStates, useConnectionActions, useUnlistedBucket } from '../model/connection-queries.ts';
import classes from '../connections.module.css';
import {
  connectionRowId,
  currentRowId,
  isNode,
  openId,
  moveByKey,
  movedIds,
  steppedIds,
  treeRows,
  findTreeRow,
  unlistedStarts,
  type ConnectionTreeRow,
} from '../model/tree-model.ts';
import { nodeId, openNodes } from '../model/tree-folders.ts';
import { TreeRowView } from './tree-row.tsx';
import { cacheAncestors, useTreeFolders } from './use-tree-folders.ts';
import { useExpanded } from './use-expanded.ts';

/** The height of a row of the tree in pixels, as in connections.module.css. */
const treeRowPx = 28;

interface MenuAnchor {
  readonly row: Extract<ConnectionTreeRow, { kind: 'connection' | 'bucket' }>;
  readonly at: MenuPoint;
}

interface Props {
  readonly connections: readonly Connection[];
  readonly current: CurrentPlace | null;
  readonly onOpen: (place: Destination) => void;
  readonly onCreate: () => void;
  readonly extra: SidebarExtra | null;
  readonly bucketServices: BucketServices;
}

/** Shows connections and their buckets as a tree (ARIA Authoring Practices). */
export function ConnectionTree({ connections, current, onOpen, onCreate, extra, bucketServices }: Props) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { expanded, revealed, toggle } = useExpanded(current);
  const openIds = useMemo(
    () => connections.filter((connection) => expanded.has(connection.id)).map((connection) => connection.id),
    [connections, expanded],
  );
  const buckets = useBucketStates(openIds);
  useUnlistedBucket(current, buckets);
  const nodes = useMemo(() => openNodes(expanded), [expanded]);
  const folders = useTreeFolders(nodes, revealed);
  const {
    connectionId: currentConnection,
    bucket: currentBucket = null,
    prefix: currentPrefix = '',
  } = current ?? {};
  const followed = useMemo(
    () =>
      currentConnection === undefined || currentBucket === null
        ? null
        : { connectionId: currentConnection, bucket: currentBucket, prefix: currentPrefix },
    [currentConnection, currentBucket, currentPrefix],
  );
  useEffect(() => {
    if (followed !== null) cacheAncestors(queries, followed);
  }, [queries, followed]);
  // Shows the levels above a start without listing them, since access keys may only be allowed to list the start.
  const starts = useMemo(() => unlistedStarts(buckets), [buckets]);
  useEffect(() => {
    for (const start of starts) cacheAncestors(queries, start);
  }, [queries, starts]);
  const extraLabel = extra?.label ?? null;
  const rows = useMemo(
    () =>
      treeRows(connections, expanded, buckets, extraLabel, { folders: folders.states, current: followed }),
    [connections, expanded, buckets, extraLabel, folders.states, followed],
  );
  const actions = useConnectionActions();
  const [menu, setMenu] = useState<MenuAnchor | null>(null);
  const [announced, setAnnounced] = useState('');
  const [dragged, setDragged] = useState<string | null>(null);
  const tree = useRef<HTMLDivElement>(null);
  const { focusedId, elements, onFocus, focus } = useRowFocus();
  const typedText = useTypedText();

  const indexes = useMemo(() => new Map(rows.map(({ id }, index) => [id, index])), [rows]);
  const currentId = currentRowId(current, indexes);
  const isCurrentInTree = currentId !== null && indexes.has(currentId);
  useEffect(() => {
    if (!isCurrentInTree || currentId === null) return;
    const row = elements.current.get(currentId);
    // An open menu would be hidden, with the focus in it, while its button is scrolled away.
    const menuButton =
      row?.closest('nav')?.querySelector('[aria-haspopup="menu"][aria-expanded="true"]') ?? null;
    if (menuButton === null) row?.scrollIntoView({ block: 'nearest' });
  }, [isCurrentInTree, currentId, elements]);
  // The only tab stop in the tree: the focused row, else the current row, else the first row.
  const tabStop = [focusedId, currentId].find((id) => id !== null && indexes.has(id)) ?? rows[0]?.id ?? null;
  const rendered = useRenderedRows(tree, {
    rowCount: rows.length,
    rowPx: treeRowPx,
    pinned: [tabStop, currentId, dragged === null ? null : connectionRowId(dragged)].flatMap((id) =>
      id === null ? [] : (indexes.get(id) ?? []),
    ),
  });

  const openByName = (connectionId: string) =>
    openConnectionDialog({ mode: 'open-by-name', connectionId, onOpen });

  const activate = (row: ConnectionTreeRow) => {
    if (row.kind === 'connection') {
      toggle(row.connection.id, true);
      onOpen(startOf(row.connection));
    } else if (row.kind === 'bucket') {
      onOpen({ connectionId: row.connectionId, bucket: row.bucket.name, prefix: row.bucket.startPrefix });
    } else if (row.kind === 'folder') {
      onOpen({ connectionId: row.connectionId, bucket: row.bucket, prefix: row.prefix });
    } else if (row.kind === 'more') {
      const state = folders.states.get(nodeId(row));
      // Marks the node as opened by the user, so that its folders are listed.
      if (state?.kind === 'branch' && state.rest === 'unread') toggle(nodeId(row), true);
      else folders.more(row);
    } else if (row.kind === 'extra') {
      extra?.onOpen(row.connectionId);
    } else if (row.note.kind === 'open-by-name') {
      openByName(row.connectionId);
    } else if (row.note.kind === 'failed') {
      void actions.reloadBuckets(row.connectionId);
    }
  };

  // Leaves out the samples, which always come first.
  const order = connections.filter((connection) => !connection.builtIn).map((connection) => connection.id);
  const reorder = (ids: readonly string[], moved: string) => {
    if (ids.every((id, index) => id === order[index])) return;
    actions.reorder.mutate(ids);
    const name = connections.find((connection) => connection.id === moved)?.name ?? '';
    setAnnounced(
      t('connections.sidebar.moved', { name, position: ids.indexOf(moved) + 1, count: ids.length }),
    );
  };
  const step = (connectionId: string, by: -1 | 1) =>
    reorder(steppedIds(order, connectionId, by), connectionId);

  const openMenu = (row: ConnectionTreeRow, event: MouseEvent | null) => {
    if (row.kind !== 'connection' && row.kind !== 'bucket') return;
    const box = elements.current.get(row.id)?.getBoundingClientRect();
    focus(row.id);
    setMenu({
      row,
      at: {
        x: event === null || event.clientX === 0 ? (box?.left ?? 0) + 24 : event.clientX,
        y: event === null || event.clientY === 0 ? (box?.bottom ?? 0) : event.clientY,
      },
    });
  };

  const closeMenu = (): void => setMenu(null);

  const onKeyDown = (event: KeyboardEvent, row: ConnectionTreeRow) => {
    const act = rowActionOf(event, row);
    if (act !== null) {
      event.preventDefault();
      event.stopPropagation();
      act();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = moveByKey(rows, row.id, event.key);
    if (move !== null) {
      event.preventDefault();
      if (move.kind === 'focus') focus(move.rowId);
      else toggle(move.id, move.kind === 'expand');
      return;
    }
    const text = typedText(event);
    const found = text === null ? null : findTreeRow(rows, row.id, text);
    if (found !== null) focus(found);
  };

  /** Returns what a key does with the row, or null for other keys. */
  const rowActionOf = (event: KeyboardEvent, row: ConnectionTreeRow): (() => void) | null => {
    const connection = row.kind === 'connection' ? row.connection : null;
    const moveBy = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : null;
    if (moveBy !== null && connection !== null && (event.ctrlKey || event.metaKey) && event.shiftKey)
      return () => step(connection.id, moveBy);
    if (event.key === 'Enter' || event.key === ' ') return () => activate(row);
    if (event.key === 'ContextMenu' || isCommand(event, 'rowMenu')) return () => openMenu(row, null);
    if (isCommand(event, 'rename') && connection !== null && !connection.builtIn)
      return () => openConnectionDialog({ mode: 'edit', connectionId: connection.id });
    if (isCommand(event, 'remove') && connection !== null)
      return () => openConnectionDialog({ mode: 'remove', connectionId: connection.id });
    if (isCommand(event, 'remove') && row.kind === 'bucket')
      return () => bucketServices.remove({ connectionId: row.connectionId, bucket: row.bucket.name });
    return null;
  };

  return (
    <>
      <div
        ref={tree}
        role="tree"
        aria-labelledby="connections-heading"
        className={classes.tree}
        data-dragging={dragged !== null || undefined}
        style={rendered.listStyle}
      >
        {rendered.indexes.map((index) => {
          const row = rows[index];
          return row === undefined ? null : (
            <TreeRowView
              key={row.id}
              row={row}
              topPx={rendered.topOf(index)}
              extra={extra}
              current={row.id === currentId}
              tabbable={row.id === tabStop}
              ref={(element) => {
                if (element === null) elements.current.delete(row.id);
                else elements.current.set(row.id, element);
              }}
              onFocus={() => onFocus(row.id)}
              onKeyDown={(event) => onKeyDown(event, row)}
              onActivate={() => activate(row)}
              onToggle={(open) => isNode(row) && toggle(openId(row), open)}
              onMenu={(event) => openMenu(row, event)}
              dragged={dragged}
              onDrag={setDragged}
              onDrop={(moved, side) => {
                if (row.kind !== 'connection') return;
                reorder(movedIds(order, moved, row.connection.id, side), moved);
              }}
            />
          );
        })}
      </div>
      <VisuallyHidden role="status">{announced}</VisuallyHidden>
      {menu?.row.kind === 'bucket'
        ? bucketServices.menu({
            connectionId: menu.row.connectionId,
            bucket: menu.row.bucket,
            at: menu.at,
            onClose: closeMenu,
          })
        : null}
      {menu?.row.kind === 'connection' ? (
        <ConnectionMenu
          row={menu.row}
          at={menu.at}
          order={order}
          onClose={closeMenu}
          onOpen={activate}
          onOpenByName={openByName}
          onStep={step}
          onCreate={onCreate}
          onNewBucket={(connectionId) => bucketServices.create(connectionId, onOpen)}
        />
      ) : null}
    </>
  );
}
