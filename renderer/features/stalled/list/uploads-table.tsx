import type { TFunction } from 'i18next';
import { type DragEvent, type KeyboardEvent, useRef } from 'react';
import { useElementSize } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { UploadRow, UploadSort } from '../../../../shared/models/stalled.ts';
import { type Cells, gridColumns, type KeptColumns, useColumns } from '../../../rpc/use-columns.ts';
import { KeyText } from '../../../ui/cells/key-text.tsx';
import { joinClasses } from '../../../ui/class-names.ts';
import { dragsFiles, type DropOutcome, droppedFile } from '../../../ui/drop/file-drop.ts';
import type { Modifiers } from '../../../ui/table/selection.ts';
import type { MenuPoint } from '../../../ui/menus.tsx';
import {
  formatAge,
  formatBytes,
  formatCount,
  formatExactBytes,
  formatExactDate,
} from '../../../ui/words/format.ts';
import { StorageClass } from '../../../ui/cells/storage-class.tsx';
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
  readonly onSort: (sort: UploadSort) => void;
  readonly manyBuckets: boolean;
  /** The common prefix of all keys, which the rows omit. */
  readonly prefix: string;
  readonly active: number;
  readonly onActive: (index: number, how: Modifiers) => void;
  readonly isSelected: (row: UploadRow) => boolean;
  readonly onOpen: (row: UploadRow) => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onRange: (first: number, last: number) => void;
  readonly onMenu: (at: MenuPoint) => void;
  /** A file was dropped on a row. */
  readonly onDropped: (row: UploadRow, dropped: DropOutcome) => void;
  readonly nowMs: number;
  readonly topKey: string;
}

/** Width that columns cannot use: the padding of the rows and the checkbox. */
const besideRowsPx = 72;

/** Returns the cells of an upload's row. */
function cellsOf(
  { prefix, nowMs }: Pick<Props, 'prefix' | 'nowMs'>,
  t: TFunction,
): Cells<UploadRow, SortKey> {
  const unread = <span className={common.quiet}>{t('stalled.unknown')}</span>;
  return {
    key: ({ key }) => (
      <span className={common.cut} style={{ display: 'block' }} title={key}>
        <KeyText name={key.startsWith(prefix) && key !== prefix ? key.slice(prefix.length) : key} isCut />
      </span>
    ),
    bucket: ({ bucket }) => <span title={bucket}>{bucket}</span>,
    begun: ({ initiatedAt }) => <Age iso={initiatedAt} nowMs={nowMs} t={t} />,
    'last-part': ({ parts }) => <Age iso={parts?.lastPartAt ?? null} nowMs={nowMs} t={t} />,
    parts: ({ parts }) => (parts === null ? unread : formatCount(parts.partCount)),
    bytes: ({ parts }) =>
      parts === null ? (
        unread
      ) : (
        <span title={formatExactBytes(parts.storedBytes)}>{formatBytes(parts.storedBytes)}</span>
      ),
    'storage-class': ({ storageClass }) =>
      storageClass === null ? unread : <StorageClass name={storageClass} />,
    initiator: ({ initiator }) => (initiator === null ? unread : <span title={initiator}>{initiator}</span>),
    verdict: ({ verdict, parts }) => <VerdictBadge verdict={verdict} parts={parts} />,
  };
}

/** The table of stalled uploads, whose rows load as they become visible. */
export function UploadsTable(props: Props) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const columns = useColumns(props.columns, {
    columns: uploadColumns(props.manyBuckets),
    labelOf: ({ id }) => t(`stalled.columns.${id}`),
    widthPx: width - besideRowsPx,
  });
  const { rowOf } = props;
  const dropHandlers = useRowDrop(rowOf, props.onDropped);
  return (
    <div ref={ref} className={joinClasses(common.fill, common.lineAbove, classes.list)} {...dropHandlers}>
      <VirtualGrid
        label={t('entries.stalled.title')}
        columns={gridColumns(columns, cellsOf(props, t), { order: props.sort, onSort: props.onSort })}
        chooser={columns}
        rowCount={props.total}
        rowHeightPx={32}
        active={props.active}
        onActive={props.onActive}
        rowAt={rowOf}
        idOf={({ id }) => id}
        loading={t('stalled.loadingRow')}
        boxes={{ label: t('stalled.toolbar.selectAll'), isSelected: props.isSelected }}
        onOpen={props.onOpen}
        onKey={props.onKey}
        onRange={props.onRange}
        onMenu={(_row, at) => props.onMenu(at)}
        topKey={props.topKey}
        takesKeyboard
      />
    </div>
  );
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
