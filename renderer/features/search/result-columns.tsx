import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { folderOf, parentFolder } from '../../../shared/keys/paths.ts';
import type { WalkSort } from '../../../shared/models/walks.ts';
import { useColumns, useKeptColumns, type Columns } from '../../rpc/use-columns.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import common from '../../ui/common.module.css';
import { folderColumns, type FolderColumn, type SortOrder } from '../objects/index.ts';

export type SortedColumn = Exclude<WalkSort['by'], 'found'>;

/** The core's sort key of each column by which it can sort results. */
const sortKeys: Partial<Record<FolderColumn['id'], SortedColumn>> = {
  folder: 'key',
  size: 'size',
  modified: 'modified',
};

export function sortKeyOf({ id }: FolderColumn): SortedColumn | null {
  return sortKeys[id] ?? null;
}

/** Returns the order as the header shows it, or null for the order in which the results were found. */
export function shownOrder({ by, descending }: WalkSort): SortOrder | null {
  if (by === 'found') return null;
  return { column: by === 'key' ? 'folder' : by, descending };
}

/** In a narrow window the storage class is hidden first. */
const ranks: Partial<Record<FolderColumn['id'], number>> = {
  size: 1,
  folder: 2,
  modified: 3,
  storageClass: 4,
};

/** Returns the columns of search results: those of a folder, and the folder of each object below `prefix`. */
export function useResultColumns(prefix: string, widthPx: number): Columns<FolderColumn> {
  const { t } = useTranslation();
  const columns = useMemo(() => {
    const folder: FolderColumn = {
      id: 'folder',
      widthPx: 100,
      share: 1,
      text: ({ key }) => key,
      cell: ({ key }) => <Folder above={(parentFolder(key) ?? '').slice(prefix.length)} />,
      hover: ({ key }) => folderOf(key),
    };
    const [name, ...others] = folderColumns.map((column): FolderColumn => {
      const rank = ranks[column.id];
      return {
        ...column,
        ...(rank === undefined ? {} : { rank }),
        ...(sortKeyOf(column) === null ? { isUnsorted: true } : {}),
      };
    });
    return name === undefined ? [] : [name, folder, ...others];
  }, [prefix]);
  return useColumns(useKeptColumns('columns:search'), {
    columns,
    labelOf: ({ id }) => t(`objects.columns.${id}`),
    widthPx,
  });
}

function Folder({ above }: { readonly above: string }) {
  const { t } = useTranslation();
  return above === '' ? <span className={common.quiet}>{t('search.top')}</span> : <KeyText name={above} />;
}
