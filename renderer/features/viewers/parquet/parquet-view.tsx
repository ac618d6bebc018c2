import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../ui/format.ts';
import { ArchiveProblem } from '../archive/archive-problem.tsx';
import { ViewerLoading } from '../frame/viewer-loading.tsx';
import { ViewerFrame } from '../frame/frame.tsx';
import { DataTable, mostColumns } from '../table/data-table.tsx';
import type { ViewerProps } from '../frame/viewer.ts';
import classes from '../viewers.module.css';
import { openParquet, type ParquetFile } from './parquet-file.ts';
import { SchemaView } from './schema-view.tsx';
import { useParts } from './use-parts.ts';
import { valueText } from './value-text.ts';

/** Of larger row groups only the first columns are read, until the user asks for more. */
const smallGroupBytes = 1_000_000;
const firstColumns = 4;

/** A Parquet file by its description: any rows of any columns are read when they come into sight. */
export function ParquetView({ file }: ViewerProps) {
  const id = useId();
  const { data, error, refetch } = useQuery({
    queryKey: ['viewer-parquet', id],
    queryFn: async ({ signal }) => await openParquet(file.source, signal),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    meta: { keepAfterReconnect: true },
  });
  if (error !== null) return <ArchiveProblem thrown={error} onRetry={() => void refetch()} />;
  return data === undefined ? <ViewerLoading /> : <Opened parquet={data} name={file.name} />;
}

function Opened({ parquet, name }: { readonly parquet: ParquetFile; readonly name: string }) {
  const { t } = useTranslation();
  const [isSchema, setSchema] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => usualColumns(parquet));
  const columns = useMemo(() => [...chosen].toSorted((a, b) => a - b), [chosen]);
  const { valueAt, isTooLarge, onRange, error, retry } = useParts(parquet, columns);
  const all = parquet.columns.length;
  const tooLarge = columns.filter(isTooLarge).map((column) => parquet.columns[column]?.name ?? '');
  const notes = tooLarge.length > 0 ? [t('viewers.parquet.tooLarge', { names: tooLarge.join(', ') })] : [];
  if (error !== null) return <ArchiveProblem thrown={error} onRetry={retry} />;
  return (
    <ViewerFrame
      notes={notes}
      toolbar={
        <>
          <SegmentedControl
            size="xs"
            value={isSchema ? 'schema' : 'rows'}
            onChange={(value) => {
              setSchema(value === 'schema');
            }}
            data={[
              { value: 'rows', label: t('viewers.parquet.rows') },
              { value: 'schema', label: t('viewers.parquet.schema') },
            ]}
          />
          <span className={classes.count} role="status">
            {t('viewers.feed.rows', { count: parquet.rowCount })} ·{' '}
            {t('viewers.parquet.columns', { count: all, shown: formatCount(columns.length) })}
          </span>
          {columns.length < all && !isSchema ? (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                setChosen(new Set(parquet.columns.keys().take(mostColumns)));
              }}
            >
              {t('viewers.parquet.showAll')}
            </Button>
          ) : null}
        </>
      }
    >
      {isSchema ? (
        <SchemaView parquet={parquet} chosen={chosen} onChosen={setChosen} />
      ) : (
        <DataTable
          name={name}
          columns={columns.map((column) => {
            const { name: title = '', type = '', isNumeric = false } = parquet.columns[column] ?? {};
            return { name: title, type, isNumeric, characters: widthOf(type, isNumeric) };
          })}
          rowCount={parquet.rowCount}
          cellOf={(row, at) => {
            const value = valueAt(columns[at] ?? -1, row);
            return value === undefined ? undefined : valueText(value);
          }}
          onRange={onRange}
        />
      )}
    </ViewerFrame>
  );
}

function widthOf(type: string, isNumeric: boolean): number {
  if (/time/.test(type)) return 24;
  return isNumeric || type === 'boolean' ? 12 : 22;
}

function usualColumns({ columns, groups }: ParquetFile): ReadonlySet<number> {
  const isSmall = (groups[0]?.packedBytes ?? 0) <= smallGroupBytes;
  return new Set(columns.keys().take(isSmall ? mostColumns : firstColumns));
}
