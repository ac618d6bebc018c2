import { useElementSize } from '@mantine/hooks';
import { Check } from 'lucide-react';
import type { DragEvent, KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lastSegment, parentFolder } from '../../../shared/keys/paths.ts';
import type { ObjectEntry } from '../../../shared/models/objects.ts';
import type { NamePattern, WalkSort } from '../../../shared/models/walks.ts';
import { useColumns, useKeptColumns } from '../../rpc/use-columns.ts';
import type { Column } from '../../ui/table/columns.ts';
import { formatBytes, formatExactBytes } from '../../ui/words/format.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { ShownTime } from '../../ui/words/shown-time.tsx';
import { TypeIcon } from '../../ui/cells/type-icon.tsx';
import { StorageClass } from '../../ui/cells/storage-class.tsx';
import type { GridColumn } from '../../ui/table/grid-props.ts';
import { VirtualGrid } from '../../ui/table/virtual-grid.tsx';
import { foundPart } from './found-part.ts';
import type { Results } from './use-results.ts';
import classes from './search.module.css';

interface Props {
  readonly results: Results;
  readonly prefix: string;
  /** The pattern of the search, for highlighting matches. */
  readonly pattern: NamePattern | null;
  readonly sort: WalkSort;
  /** Changes the order, or null while the search runs. */
  readonly onSort: ((by: SortedColumn) => void) | null;
  readonly onOpen: (index: number) => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onMenu: (at: { readonly x: number; readonly y: number }) => void;
  readonly onDragStart: (index: number, event: DragEvent) => void;
}

export type SortedColumn = Exclude<WalkSort['by'], 'found'>;

interface ResultColumn extends Column<'name' | 'folder' | 'size' | 'modified' | 'storageClass'> {
  /** The core's sort key for this column. Absent if results cannot be sorted by the column. */
  readonly by?: SortedColumn;
}

/** In a narrow window the storage class is hidden first. */
const columns: readonly ResultColumn[] = [
  { id: 'name', widthPx: 120, share: 3, isFixed: true },
  { id: 'folder', widthPx: 100, share: 3, by: 'key', rank: 2 },
  { id: 'size', widthPx: 96, align: 'end', by: 'size', rank: 1 },
  { id: 'modified', widthPx: 156, by: 'modified', rank: 3 },
  { id: 'storageClass', widthPx: 120, rank: 4 },
];
/** Width that columns cannot use: the padding of the rows and the checkbox. */
const besideRowsPx = 72;
/** Width kept free for the name before optional columns are shown. */
const spareWidthPx = 140;

/** Shows search results as a table, whose rows load as they become visible. */
export function ResultsTable(props: Props) {
  const { results, prefix, pattern, sort, onSort, onOpen, onKey, onMenu } = props;
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const { rows, isSelected } = results;
  const kept = useColumns(useKeptColumns('columns:search'), {
    columns,
    labelOf: ({ id }) => t(`search.columns.${id}`),
    widthPx: width - besideRowsPx - spareWidthPx,
  });
  const shown: readonly GridColumn[] = [
    {
      id: 'select',
      label: <span className="visually-hidden">{t('search.columns.select')}</span>,
      width: '32px',
    },
    ...kept.headings.map((heading): GridColumn => {
      const by = columns.find(({ id }) => id === heading.id)?.by;
      if (by === undefined) return heading;
      if (onSort === null)
        return { ...heading, label: <span title={t('search.sortHint')}>{heading.label}</span> };
      const sorted = sort.descending ? 'descending' : 'ascending';
      return { ...heading, sort: sort.by === by ? sorted : 'none', onSort: () => onSort(by) };
    }),
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
      ...kept.fitting.map(({ id }) => <Cell key={id} id={id} row={row} prefix={prefix} pattern={pattern} />),
    ];
  };
  return (
    <div ref={ref} className={classes.list}>
      <VirtualGrid
        label={t('search.results')}
        columns={shown}
        chooser={kept}
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
        onDragStart={props.onDragStart}
        topKey={`${sort.by}:${String(sort.descending)}`}
      />
    </div>
  );
}

interface CellProps {
  readonly id: ResultColumn['id'];
  readonly row: ObjectEntry;
  readonly prefix: string;
  readonly pattern: NamePattern | null;
}

function Cell({ id, row, prefix, pattern }: CellProps) {
  const { t } = useTranslation();
  switch (id) {
    case 'name': {
      const isFolder = row.key.endsWith('/');
      const text = lastSegment(row.key);
      return (
        <span className={classes.name} title={row.key}>
          <TypeIcon name={text} isFolder={isFolder} size={15} />
          <span className={classes.nameText}>
            <KeyText
              name={text}
              isCut
              found={
                pattern?.kind === 'contains' ? foundPart(text, pattern.text, pattern.caseSensitive) : null
              }
            />
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
        <ShownTime iso={row.lastModified} />
      );
    case 'storageClass':
      return row.storageClass === null ? (
        <span className={classes.quiet}>{t('common.unknown')}</span>
      ) : (
        <StorageClass name={row.storageClass} />
      );
    default:
      return id satisfies never;
  }
}
