import { Button, SegmentedControl } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { appErrorOf } from '../../../rpc/errors.ts';
import { formatBytes, formatCount } from '../../../ui/words/format.ts';
import { TooComplexNotice, ViewerFrame, ViewerLoading, ViewerMessage } from '../frame/frame.tsx';
import { DataTable, hiddenCell, maxColumns } from '../table/data-table.tsx';
import type { RangeSource } from '../frame/range-source.ts';
import classes from '../viewers.module.css';
import {
  type ColumnarFormat,
  type ColumnProblem,
  type TableDescription,
  UnreadableFile,
} from '../columnar/columnar-file.ts';
import { type TableReader, TooComplex } from '../columnar/table-reader.ts';
import type { ViewerProps } from '../frame/viewer.ts';
import { ArchiveProblem } from '../archive/archive-problem.tsx';
import { SchemaView } from './schema-view.tsx';
import { type OpenChoice, useParts, useTable } from './use-table.ts';

/** For larger row groups only the first columns are read, until the user asks for more. */
const smallGroupBytes = 1_000_000;
const firstColumns = 4;

const problems: readonly ColumnProblem[] = ['encrypted', 'unreadable', 'too-large'];
/** The texts about columns that are not shown. The limits differ by format. */
const problemKeys = {
  encrypted: 'viewers.columnar.encrypted',
  unreadable: 'viewers.columnar.unreadable',
  parquet: 'viewers.columnar.tooLarge',
  arrow: 'viewers.columnar.tooLargeBatch',
  sqlite: 'viewers.columnar.unreadable',
} as const;

const startWorker = (): Worker =>
  new Worker(new URL('./table-worker.ts', import.meta.url), { type: 'module' });
const parquet = { format: 'parquet', sqlite: null, startWorker } as const;
const arrow = { format: 'arrow', sqlite: null, startWorker } as const;

export function ParquetView({ file }: ViewerProps) {
  return <ColumnarView source={file.source} name={file.name} choice={parquet} />;
}

export function ArrowView({ file }: ViewerProps) {
  return <ColumnarView source={file.source} name={file.name} choice={arrow} />;
}

interface ColumnarViewProps {
  readonly source: RangeSource;
  readonly name: string;
  readonly choice: OpenChoice;
  /** Buttons before the buttons of the table. They are also shown while the table loads or has failed. */
  readonly tools?: ReactNode;
}

/** Shows a table that a worker decodes. Cells are read when they become visible. */
export function ColumnarView({ source, name, choice, tools }: ColumnarViewProps) {
  const { state, again } = useTable(source, choice);
  if (state.kind === 'failed')
    return <ColumnarProblem thrown={state.thrown} onRetry={again} toolbar={tools} />;
  if (state.kind === 'loading') return <ViewerLoading />;
  const { table, reader } = state;
  return <Opened table={table} reader={reader} name={name} format={choice.format} tools={tools} />;
}

interface OpenedProps {
  readonly table: TableDescription;
  readonly reader: Pick<TableReader, 'partAt' | 'rowAt'>;
  readonly name: string;
  readonly format: ColumnarFormat;
  readonly tools: ReactNode;
}

function Opened({ table, reader, name, format, tools }: OpenedProps) {
  const { t } = useTranslation();
  const [isSchema, setSchema] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => usualColumns(table));
  const columns = useMemo(() => [...chosen].toSorted((a, b) => a - b), [chosen]);
  const open = useMemo(() => ({ rowCount: table.rowCount, partAt: reader.partAt }), [table, reader]);
  const { textAt, isHidden, problemOf, onRange, error, retry } = useParts(open, columns);
  const all = table.columns.length;
  const namesWith = (problem: ColumnProblem): readonly string[] =>
    columns
      .filter((column) => problemOf(column) === problem)
      .map((column) => table.columns[column]?.name ?? '');
  const cut = table.shownBytes;
  const notes = [
    ...(cut === null ? [] : [t('viewers.feed.cutRows', { count: table.rowCount, size: formatBytes(cut) })]),
    ...problems.flatMap((problem) => {
      const names = namesWith(problem).join(', ');
      return names === '' ? [] : [t(problemKeys[problem === 'too-large' ? format : problem], { names })];
    }),
    ...(table.usesLog ? [t('viewers.sqlite.usesLog')] : []),
    ...(error instanceof TooComplex ? [t('viewers.columnar.stopped')] : []),
  ];
  return (
    <ViewerFrame
      notes={notes}
      failure={
        error === null || error instanceof TooComplex ? null : { error: appErrorOf(error), onRetry: retry }
      }
      toolbar={
        <>
          {tools}
          <SegmentedControl
            size="xs"
            value={isSchema ? 'schema' : 'rows'}
            onChange={(value) => setSchema(value === 'schema')}
            data={[
              { value: 'rows', label: t('viewers.columnar.rows') },
              { value: 'schema', label: t('viewers.columnar.schema') },
            ]}
          />
          <span className={classes.toolText} role="status">
            {t('viewers.feed.rows', { count: table.rowCount })} ·{' '}
            {t('viewers.columnar.columns', { count: all, shown: formatCount(columns.length) })}
          </span>
          {columns.length < all && !isSchema ? (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => setChosen(new Set(table.columns.keys().take(maxColumns)))}
            >
              {t('viewers.columnar.showAll')}
            </Button>
          ) : null}
        </>
      }
    >
      {isSchema ? (
        <SchemaView table={table} chosen={chosen} onChosen={setChosen} />
      ) : (
        <DataTable
          name={name}
          columns={columns.map((column) => {
            const { name: title = '', type = '', isNumeric = false } = table.columns[column] ?? {};
            return { name: title, type, isNumeric, characters: widthOf(type, isNumeric) };
          })}
          rowCount={table.rowCount}
          cellOf={(row, at) => {
            const column = columns[at] ?? -1;
            return isHidden(column, row) ? hiddenCell : textAt(column, row);
          }}
          onRange={onRange}
          wholeRow={async (row, signal) => await reader.rowAt(columns, row, signal)}
        />
      )}
    </ViewerFrame>
  );
}

function widthOf(type: string, isNumeric: boolean): number {
  if (/time/.test(type)) return 27;
  return isNumeric || type === 'boolean' ? 12 : 22;
}

function usualColumns({ columns, groups }: TableDescription): ReadonlySet<number> {
  const isSmall = (groups[0]?.packedBytes ?? 0) <= smallGroupBytes;
  return new Set(columns.keys().take(isSmall ? maxColumns : firstColumns));
}

interface ColumnarProblemProps {
  readonly thrown: unknown;
  readonly onRetry: () => void;
  /** The viewer's buttons. */
  readonly toolbar: ReactNode;
}

/** Says that the bytes could not be fetched, are damaged, or broke the decoder. */
export function ColumnarProblem({ thrown, onRetry, toolbar }: ColumnarProblemProps) {
  const { t } = useTranslation();
  if (thrown instanceof UnreadableFile) {
    const text = thrown.problem === 'encrypted' ? 'encryptedFile' : 'bigEndian';
    return (
      <ViewerMessage
        toolbar={toolbar}
        title={t(`viewers.columnar.${text}`)}
        body={t(`viewers.columnar.${text}Body`)}
      />
    );
  }
  if (!(thrown instanceof TooComplex))
    return <ArchiveProblem thrown={thrown} onRetry={onRetry} toolbar={toolbar} />;
  return <TooComplexNotice toolbar={toolbar} />;
}
