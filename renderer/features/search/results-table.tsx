import { useElementSize } from '@mantine/hooks';
import { Check } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lastSegment, parentFolder } from '../../../shared/keys/paths.ts';
import type { ObjectEntry } from '../../../shared/models/objects.ts';
import type { WalkSort } from '../../../shared/models/walks.ts';
import { formatBytes, formatDate, formatExactBytes, formatExactDate } from '../../ui/format.ts';
import { KeyText } from '../../ui/key-text.tsx';
import { TypeIcon } from '../../ui/type-icon.tsx';
import { VirtualGrid, type GridColumn } from '../../ui/virtual-grid.tsx';
import type { Results } from './use-results.ts';
import classes from './search.module.css';

interface Props {
  readonly results: Results;
  readonly prefix: string;
  readonly sort: WalkSort;
  /** null: not yet, the search still runs. */
  readonly onSort: ((by: SortedColumn) => void) | null;
  readonly onOpen: (index: number) => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onMenu: (at: { readonly x: number; readonly y: number }) => void;
}

export type SortedColumn = Exclude<WalkSort['by'], 'found'>;

interface Column {
  readonly id: 'name' | 'folder' | 'size' | 'modified' | 'storageClass';
  readonly width: string;
  readonly align?: 'end';
  readonly by?: SortedColumn;
}

const name: Column = { id: 'name', width: 'minmax(120px, 3fr)' };
const folder: Column = { id: 'folder', width: 'minmax(100px, 3fr)', by: 'key' };
const size: Column = { id: 'size', width: '96px', align: 'end', by: 'size' };
const modified: Column = { id: 'modified', width: '156px', by: 'modified' };
const storageClass: Column = { id: 'storageClass', width: '120px' };

function columnsFor(widthPx: number): readonly Column[] {
  if (widthPx < 560) return [name, folder, size];
  if (widthPx < 760) return [name, folder, size, modified];
  return [name, folder, size, modified, storageClass];
}

/** What a search has found, whatever its number. */
export function ResultsTable({ results, prefix, sort, onSort, onOpen, onKey, onMenu }: Props) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const { rows, isSelected } = results;
  const columns = columnsFor(width);
  const shown: readonly GridColumn[] = [
    {
      id: 'select',
      label: <span className="visually-hidden">{t('search.columns.select')}</span>,
      width: '32px',
    },
    ...columns.map(({ id, width: wide, align, by }): GridColumn => ({
      id,
      label:
        by !== undefined && onSort === null ? (
          <span title={t('search.sortHint')}>{t(`search.columns.${id}`)}</span>
        ) : (
          t(`search.columns.${id}`)
        ),
      width: wide,
      ...(align === undefined ? {} : { align }),
      ...(by === undefined || onSort === null
        ? {}
        : {
            sort: sort.by === by ? (sort.descending ? 'descending' : 'ascending') : 'none',
            onSort: () => onSort(by),
          }),
    })),
  ];
  const cellsOf = (index: number): readonly ReactNode[] => {
    const row = rows.rowAt(index);
    if (row === null)
      return [
        null,
        <span key="name" className={classes.quiet}>
          {t('search.loadingRow')}
        </span>,
      ];
    return [
      <span key="select" className={classes.box} data-on={isSelected(index)} data-toggle aria-hidden>
        {isSelected(index) ? <Check size={12} strokeWidth={3} /> : null}
      </span>,
      ...columns.map(({ id }) => <Cell key={id} id={id} row={row} prefix={prefix} />),
    ];
  };
  return (
    <div ref={ref} className={classes.list}>
      <VirtualGrid
        label={t('search.results')}
        columns={shown}
        rowCount={rows.total}
        rowHeightPx={30}
        active={results.active}
        onActive={results.activate}
        cellsOf={cellsOf}
        isSelected={isSelected}
        isMulti
        onOpen={onOpen}
        onKey={onKey}
        onRange={rows.onRange}
        onMenu={(_index, at) => onMenu(at)}
        topKey={`${sort.by}:${String(sort.descending)}`}
      />
    </div>
  );
}

interface CellProps {
  readonly id: Column['id'];
  readonly row: ObjectEntry;
  readonly prefix: string;
}

function Cell({ id, row, prefix }: CellProps) {
  const { t } = useTranslation();
  switch (id) {
    case 'name': {
      const isFolder = row.key.endsWith('/');
      const text = lastSegment(row.key);
      return (
        <span className={classes.name} title={row.key}>
          <TypeIcon name={text} isFolder={isFolder} size={15} />
          <span className={classes.nameText}>
            <KeyText name={text} />
          </span>
        </span>
      );
    }
    case 'folder': {
      const above = (parentFolder(row.key) ?? '').slice(prefix.length);
      return above === '' ? (
        <span className={classes.quiet}>{t('search.top')}</span>
      ) : (
        <span className={classes.quiet} title={above}>
          <KeyText name={above} />
        </span>
      );
    }
    case 'size':
      return <span title={formatExactBytes(row.sizeBytes)}>{formatBytes(row.sizeBytes)}</span>;
    case 'modified':
      return row.lastModified === null ? (
        <span className={classes.quiet}>{t('common.unknown')}</span>
      ) : (
        <time dateTime={row.lastModified} title={formatExactDate(row.lastModified)}>
          {formatDate(row.lastModified)}
        </time>
      );
    case 'storageClass':
      return row.storageClass ?? <span className={classes.quiet}>{t('common.unknown')}</span>;
    default:
      return id satisfies never;
  }
}
