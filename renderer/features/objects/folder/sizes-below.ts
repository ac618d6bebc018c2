import { t } from 'i18next';
import { createElement, useEffect, useMemo, useRef, useState } from 'react';
import { create } from 'zustand';
import { rpc } from '../../../rpc/client.ts';
import { formatBytes, formatDate, formatExactBytes, formatCount } from '../../../ui/words/format.ts';
import { keysOf } from '../../../ui/keyboard/commands.ts';
import { shortcutText } from '../../../ui/keyboard/shortcuts.ts';
import { folderColumns, type FolderColumn } from '../rows/folder-columns.ts';
import type { FolderModel } from './folder-model.ts';
import type { FolderPlace } from '../rows/place.ts';
import type { FolderRow } from '../rows/row.ts';
import { folderTotalsOf, setFolderTotals } from '../rows/folder-row.ts';
import classes from '../list.module.css';

const foldersPerRequest = 1000;
/** Age in milliseconds from which sizes are shown dimmed. */
const freshMs = 24 * 3600 * 1000;

const read = create<{ readonly times: number }>(() => ({ times: 0 }));

/** Requests the sizes of visible folders again. Call it after a catalogue was written. */
export function refreshFolderTotals(): void {
  read.setState(({ times }) => ({ times: times + 1 }));
}

interface RequestedSizes {
  readonly model: FolderModel;
  readonly times: number;
  /** The number of rows already checked. */
  rows: number;
}

/**
 * Returns the columns of a folder. The size column includes the sizes of subfolders that a catalogue knows. Requests them only
 * while the column is visible, and only for rows added since the last request.
 */
export function useColumnsWithTotals(
  { connectionId, bucket, folder }: FolderPlace,
  model: FolderModel | null,
  isShown: boolean,
): readonly FolderColumn[] {
  const [known, setKnown] = useState({ version: 0, takenAt: '' });
  const requested = useRef<RequestedSizes | null>(null);
  const loaded = model?.loadedCount ?? 0;
  const times = read((state) => state.times);
  useEffect(() => {
    if (!isShown || model === null) return;
    if (requested.current?.model !== model || requested.current.times !== times)
      requested.current = { model, times, rows: 0 };
    const from = requested.current.rows;
    requested.current.rows = loaded;
    const folders: FolderRow[] = [];
    for (let number = from; number < loaded; number += 1) {
      const row = model.isFolder(number) ? model.hold(number) : undefined;
      if (row !== undefined) folders.push(row);
    }
    void (async () => {
      for (let at = 0; at < folders.length; at += foldersPerRequest) {
        const batch = folders.slice(at, at + foldersPerRequest);
        const response = await rpc.map.sizes({
          connectionId,
          bucket,
          prefix: folder,
          folders: batch.map(({ key }) => key),
        });
        if (response === null) return;
        for (const [number, row] of batch.entries()) setFolderTotals(row, response.sums[number] ?? null);
        setKnown(({ version }) => ({ version: version + 1, takenAt: response.takenAt }));
      }
      if (folders.length > 0) model.resort('size');
    })().catch((thrown: unknown) => {
      // The list works without sizes, so the error is only logged. The map shows why the catalogue is missing.
      reportError(thrown);
    });
  }, [connectionId, bucket, folder, model, loaded, isShown, times]);
  return useMemo(
    () => folderColumns.map((column) => (column.id === 'size' ? withFolders(column, known.takenAt) : column)),
    [known],
  );
}

/** Returns the size column extended by the sizes of folders, from a catalogue written at `takenAt`. */
function withFolders(column: FolderColumn, takenAt: string): FolderColumn {
  const text = (row: FolderRow): string => {
    if (row.kind !== 'folder') return column.text(row);
    const sum = folderTotalsOf(row);
    return sum === null ? '' : formatBytes(sum.sizeBytes);
  };
  return {
    ...column,
    text,
    cell: (row) =>
      row.kind === 'folder' && Date.now() - Date.parse(takenAt) > freshMs
        ? createElement('span', { className: classes.oldSize }, text(row))
        : text(row),
    hover: (row, nowMs) => {
      if (row.kind !== 'folder') return column.hover?.(row, nowMs) ?? '';
      const sum = folderTotalsOf(row);
      if (sum === null)
        return t('entries.map.below.unknown', { keys: shortcutText(keysOf('calculateSizes') ?? '') });
      return t('entries.map.below.known', {
        count: sum.objects,
        number: formatCount(sum.objects),
        size: formatExactBytes(sum.sizeBytes),
        time: formatDate(takenAt),
      });
    },
  };
}
