import { NativeSelect } from '@mantine/core';
import { Table2 } from 'lucide-react';
import engine from 'virtual:sqlite-engine';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { appErrorOf } from '../../../rpc/errors.ts';
import { ColumnarProblem, ColumnarView } from '../columnar-view/columnar-view.tsx';
import type { TableChoice } from '../columnar/columnar-messages.ts';
import { tableReader } from '../columnar/table-reader.ts';
import { memorySource, type RangeSource } from '../frame/range-source.ts';
import { useWhole, useRead } from '../frame/viewer-hooks.ts';
import { ViewerLoading, ViewerFailed, ViewerMessage } from '../frame/frame.tsx';
import type { ViewerProps } from '../frame/viewer.ts';

/** Shows the tables and views of a SQLite database, which is read as a whole. */
export function SqliteView({ file }: ViewerProps) {
  const { data, error, refetch } = useWhole(file.source);
  const source = useMemo(() => (data === undefined ? null : memorySource(data)), [data]);
  if (error !== null) return <ViewerFailed error={appErrorOf(error)} onRetry={refetch} />;
  return source === null ? <ViewerLoading /> : <Tables source={source} />;
}

function Tables({ source }: { readonly source: RangeSource }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(0);
  const choice = useMemo(() => ({ ...choiceOf(chosen), startWorker: sqliteWorker }), [chosen]);
  const { data, error, refetch } = useRead(async (signal) => await tablesIn(source, signal));
  if (error !== null) return <ColumnarProblem thrown={error} onRetry={() => void refetch()} toolbar={null} />;
  if (data === undefined) return <ViewerLoading />;
  const name = data[chosen];
  if (name === undefined) return <ViewerMessage icon={Table2} title={t('viewers.sqlite.none')} />;
  return (
    <ColumnarView
      key={chosen}
      source={source}
      name={name}
      choice={choice}
      tools={
        <NativeSelect
          size="xs"
          aria-label={t('viewers.sqlite.table')}
          value={String(chosen)}
          onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
          data={data.map((label, at) => ({ value: String(at), label }))}
        />
      }
    />
  );
}

/** Reads the names of tables and views. */
async function tablesIn(source: RangeSource, signal: AbortSignal): Promise<readonly string[]> {
  const reader = tableReader(source, choiceOf(null), sqliteWorker());
  signal.addEventListener('abort', reader.close, { once: true });
  try {
    return (await reader.open()).tables;
  } finally {
    reader.close();
  }
}

function choiceOf(table: number | null): TableChoice {
  return { format: 'sqlite', sqlite: { table, engine } };
}

function sqliteWorker(): Worker {
  return new Worker(new URL('./sqlite-worker.ts', import.meta.url), { type: 'module' });
}
