import { createElement, type ReactNode } from 'react';
import { lastSegment } from '../../../../shared/keys/paths.ts';
import type { Column, ColumnOrder } from '../../../ui/table/columns.ts';
import { StorageClass } from '../../../ui/cells/storage-class.tsx';
import {
  formatExactDateAndAge,
  formatBytes,
  formatDate,
  formatDay,
  formatExactBytes,
} from '../../../ui/words/format.ts';
import type { FolderPlace } from './place.ts';
import type { FolderRow } from './row.ts';

/** The names of the columns. Only search results have the column `folder`. */
export type SortColumn = 'name' | 'folder' | 'size' | 'modified' | 'storageClass' | 'type' | 'etag';

export interface SortOrder {
  readonly column: SortColumn;
  readonly descending: boolean;
}

export interface FolderColumn extends Column<SortColumn> {
  readonly id: SortColumn;
  /** Returns the text of a cell, by which all columns except numeric ones are sorted. The row itself renders its name cell. */
  readonly text: (row: FolderRow) => string;
  /** True if the list cannot be sorted by this column. */
  readonly isUnsorted?: true;
  /** Renders a cell that contains more than its text. */
  readonly cell?: (row: FolderRow) => ReactNode;
  /** Returns the exact value, shown as a tooltip. */
  readonly hover?: (row: FolderRow, nowMs: number) => string;
}

/** Returns the time of the last change; ISO 8601. Null for a folder, or if the service does not report the time. */
export function isoOf(row: FolderRow): string | null {
  return Number.isNaN(row.modifiedMs) ? null : new Date(row.modifiedMs).toISOString();
}

/** Returns the extension of an object's name in lower case, or '' without an extension. */
export function typeOf(row: FolderRow): string {
  if (row.key.endsWith('/')) return '';
  const name = lastSegment(row.key);
  const dot = name.lastIndexOf('.');
  return dot < 1 || dot === name.length - 1 ? '' : name.slice(dot + 1).toLowerCase();
}

/** Returns size and date of an object in one line, or '' for a folder. */
export function rowFacts(row: FolderRow): string {
  if (row.kind === 'folder') return '';
  const iso = isoOf(row);
  return [formatBytes(row.sizeBytes), ...(iso === null ? [] : [formatDate(iso)])].join(' · ');
}

/** Returns size and day of an object, for narrow places. */
export function rowFactsShort(row: FolderRow): { readonly size: string; readonly day: string | null } {
  if (row.kind === 'folder') return { size: '', day: null };
  const iso = isoOf(row);
  return { size: formatBytes(row.sizeBytes), day: iso === null ? null : formatDay(iso) };
}

/** The columns of a folder, in their order. */
export const folderColumns: readonly FolderColumn[] = [
  { id: 'name', widthPx: 180, share: 1, isFixed: true, text: ({ key }) => lastSegment(key) },
  // The sizes of folders come from catalogues (sizes-below.ts).
  {
    id: 'size',
    widthPx: 104,
    align: 'end',
    firstDescending: true,
    text: (row) => (row.kind === 'folder' ? '' : formatBytes(row.sizeBytes)),
    hover: (row) => (row.kind === 'folder' ? '' : formatExactBytes(row.sizeBytes)),
  },
  {
    id: 'modified',
    widthPx: 176,
    firstDescending: true,
    text: (row) => {
      const iso = isoOf(row);
      return iso === null ? '' : formatDate(iso);
    },
    hover: (row, nowMs) => {
      const iso = isoOf(row);
      return iso === null ? '' : formatExactDateAndAge(iso, nowMs);
    },
  },
  {
    id: 'storageClass',
    widthPx: 132,
    text: ({ storageClass }) => storageClass ?? '',
    cell: ({ storageClass }) => createElement(StorageClass, { name: storageClass }),
  },
  { id: 'type', widthPx: 84, isExtra: true, text: typeOf },
  {
    id: 'etag',
    widthPx: 280,
    isExtra: true,
    text: ({ etag }) => etag ?? '',
    hover: ({ etag }) => etag ?? '',
  },
];

const byName: SortOrder = { column: 'name', descending: false };
/** The service's listing order, as persisted. */
export const serviceOrder: ColumnOrder = { by: 'service', descending: false };

/** Returns the order of a complete folder: by name, unless the user chose another order. Null for the service's order. */
export function sortOf(order: ColumnOrder | null): SortOrder | null {
  if (order?.by === serviceOrder.by) return null;
  const column = folderColumns.find(({ id }) => id === order?.by);
  return order === null || column === undefined
    ? byName
    : { column: column.id, descending: order.descending };
}

/** Returns the name under which the columns of a bucket are stored. */
export function columnsName({ connectionId, bucket }: Pick<FolderPlace, 'connectionId' | 'bucket'>): string {
  return `columns:${connectionId}:${bucket}`;
}
