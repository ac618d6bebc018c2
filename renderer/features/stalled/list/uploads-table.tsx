import { Check } from 'lucide-react';
import type { TFunction } from 'i18next';
import { type DragEvent, type KeyboardEvent, type ReactNode, useCallback, useRef } from 'react';
import { useElementSize } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { UploadRow, UploadSort } from '../../../../shared/models/stalled.ts';
import { type KeptColumns, useColumns } from '../../../rpc/use-columns.ts';
import { KeyText } from '../../../ui/cells/key-text.tsx';
import { dragsFiles, type DropOutcome, droppedFile } from '../../../ui/drop/file-drop.ts';
import type { Modifiers } from '../../../ui/table/selection.ts';
import {
  formatAge,
  formatBytes,
  formatCount,
  formatExactBytes,
  formatExactDate,
} from '../../../ui/words/format.ts';
import { StorageClass } from '../../../ui/cells/storage-class.tsx';
import type { GridColumn } from '../../../ui/table/grid-props.ts';
import { VirtualGrid } from '../../../ui/table/virtual-grid.tsx';
import common from '../../../ui/common.module.css';
import { type SortKey, uploadColumns } from '../model/list-query.ts';
import { VerdictBadge } from '../detail/verdict-badge.tsx';
import classes from '../stalled-list.module.css';

interface Props {
  readonly total: number;
  readonly rowOf: (index: number) => UploadRow | null;
  readonly columns: KeptColumns;
  readonly sort: UploadSort;
  readonly onSort: (by: SortKey) => void;
  readonly manyBuckets: boolean;
  /** The common prefix of all keys, which the rows omit. */
  readonly prefix: string;
  readonly active: number;
  readonly onActive: (index: number, how: Modifiers) => void;
  readonly isSelected: (row: UploadRow) => boolean;
  readonly onOpen: (row: UploadRow) => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onRange: (first: number, last: number) => void;
  readonly onMenu: (index: number, at: { readonly x: number; readonly y: number }) => void;
  /** A file was dropped on a row. */
  readonly onDropped: (row: UploadRow, dropped: DropOutcome) => void;
  readonly nowMs: number;
  readonly topKey: string;
}

/** Width that columns cannot use: the padding of the rows and the checkbox. */
const besideRowsPx = 72;

/** The table of stalled uploads, whose rows load as they become visible. */
export function UploadsTable(props: Props) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const columns = useColumns(props.columns, {
    columns: uploadColumns(props.manyBuckets),
    labelOf: ({ id }) => t(`stalled.columns.${id}`),
    widthPx: width - besideRowsPx,
  });
  const shown: readonly GridColumn[] = [
    {
      id: 'select',
      label: <span className="visually-hidden">{t('stalled.toolbar.selectAll')}</span>,
      width: '32px',
    },
    ...columns.headings.map((heading, at): GridColumn => {
      const by = columns.fitting[at]?.id;
      if (by === undefined) return heading;
      const sort = props.sort.by === by ? sortedAria(props.sort.descending) : 'none';
      return { ...heading, sort, onSort: () => props.onSort(by) };
    }),
  ];
  const { rowOf, isSelected, nowMs, prefix } = props;
  const cellsOf = (index: number): readonly ReactNode[] => {
    const row = rowOf(index);
    if (row === null)
      return [
        null,
        <span key="key" className={common.quiet}>
          {t('stalled.loadingRow')}
        </span>,
      ];
    return [
      <SelectBox key="select" on={isSelected(row)} />,
      ...columns.fitting.map(({ id: by }) => (
        <Cell key={by} by={by} row={row} prefix={prefix} nowMs={nowMs} t={t} />
      )),
    ];
  };
  const onOpen = useCallback(
    (index: number) => {
      const row = rowOf(index);
      if (row !== null) props.onOpen(row);
    },
    [rowOf, props],
  );
  const dropHandlers = useRowDrop(rowOf, props.onDropped);
  return (
    <div ref={ref} className={classes.list} {...dropHandlers}>
      <VirtualGrid
        label={t('entries.stalled.title')}
        columns={shown}
        chooser={columns}
        rowCount={props.total}
        rowHeightPx={32}
        active={props.active}
        onActive={props.onActive}
        cellsOf={cellsOf}
        isSelected={(index) => {
          const row = rowOf(index);
          return row !== null && isSelected(row);
        }}
        isMulti
        onOpen={onOpen}
        onKey={props.onKey}
        onRange={props.onRange}
        onMenu={props.onMenu}
        topKey={props.topKey}
        takesKeyboard
      />
    </div>
  );
}

const sortedAria = (descending: boolean) => (descending ? 'descending' : 'ascending');

function SelectBox({ on }: { readonly on: boolean }) {
  return (
    <span className={classes.box} data-on={on} data-toggle aria-hidden>
      {on ? <Check size={12} strokeWidth={3} /> : null}
    </span>
  );
}

interface CellProps {
  readonly by: SortKey;
  readonly row: UploadRow;
  readonly prefix: string;
  readonly nowMs: number;
  readonly t: TFunction;
}

function Cell({ by, row, prefix, nowMs, t }: CellProps) {
  const unread = <span className={common.quiet}>{t('stalled.unknown')}</span>;
  switch (by) {
    case 'key': {
      const shown = row.key.startsWith(prefix) && row.key !== prefix ? row.key.slice(prefix.length) : row.key;
      return (
        <span className={classes.key} title={row.key}>
          <KeyText name={shown} isCut />
        </span>
      );
    }
    case 'bucket':
      return <span title={row.bucket}>{row.bucket}</span>;
    case 'begun':
      return <Age iso={row.initiatedAt} nowMs={nowMs} t={t} />;
    case 'last-part':
      return <Age iso={row.parts?.lastPartAt ?? null} nowMs={nowMs} t={t} />;
    case 'parts':
      return row.parts === null ? unread : formatCount(row.parts.partCount);
    case 'bytes':
      return row.parts === null ? (
        unread
      ) : (
        <span title={formatExactBytes(row.parts.storedBytes)}>{formatBytes(row.parts.storedBytes)}</span>
      );
    case 'storage-class':
      return row.storageClass === null ? unread : <StorageClass name={row.storageClass} />;
    case 'initiator':
      return row.initiator === null ? unread : <span title={row.initiator}>{row.initiator}</span>;
    case 'verdict':
      return <VerdictBadge verdict={row.verdict} parts={row.parts} />;
    default:
      return by satisfies never;
  }
}

function Age({
  iso,
  nowMs,
  t,
}: {
  readonly iso: string | null;
  readonly nowMs: number;
  readonly t: TFunction;
}) {
  if (iso === null) return <span className={common.quiet}>{t('stalled.unknown')}</span>;
  const age = formatAge(nowMs - Date.parse(iso));
  return (
    <time dateTime={iso} title={formatExactDate(iso)}>
      {age === null ? t('stalled.justNow') : t('stalled.ago', { span: age })}
    </time>
  );
}

/** The header is row 1 of the grid. */
const firstRow = 2;

/** Makes the table's rows drop targets for files, and highlights the row under the pointer. */
function useRowDrop(
  rowOf: (index: number) => UploadRow | null,
  onDropped: (row: UploadRow, dropped: DropOutcome) => void,
) {
  const marked = useRef<Element | null>(null);
  const mark = (element: Element | null): void => {
    if (marked.current === element) return;
    marked.current?.removeAttribute('data-drop');
    element?.setAttribute('data-drop', 'true');
    marked.current = element;
  };
  const under = (event: DragEvent): { readonly element: Element; readonly row: UploadRow } | null => {
    const element = event.target instanceof Element ? event.target.closest('[role="row"]') : null;
    const index = Number(element?.getAttribute('aria-rowindex') ?? 0) - firstRow;
    const row = index < 0 ? null : rowOf(index);
    return element === null || row === null ? null : { element, row };
  };
  return {
    onDragOver: (event: DragEvent) => {
      if (!dragsFiles(event)) return;
      const found = under(event);
      mark(found?.element ?? null);
      if (found === null) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    },
    onDragLeave: (event: DragEvent) => {
      if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)))
        mark(null);
    },
    onDrop: (event: DragEvent) => {
      mark(null);
      if (!dragsFiles(event)) return;
      const found = under(event);
      if (found === null) return;
      event.preventDefault();
      onDropped(found.row, droppedFile(event.dataTransfer));
    },
  };
}
