import { useEffect, useReducer, useState } from 'react';
import type { RangeSource } from '../frame/range-source.ts';
import type { ColumnarFormat, TableDescription } from '../columnar/columnar-file.ts';
import { decoderWorker, startTimer } from './decoder-worker.ts';
import { tableReader, type TableReader } from '../columnar/table-reader.ts';

type TableState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'open'; readonly table: TableDescription; readonly partAt: TableReader['partAt'] }
  | { readonly kind: 'failed'; readonly thrown: unknown };

/** Opens a table in a decoder worker, which is terminated with the viewer. */
export function useTable(source: RangeSource, format: ColumnarFormat) {
  const [state, setState] = useState<TableState>({ kind: 'loading' });
  const [attempt, again] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    const reader = tableReader(source, format, decoderWorker(), startTimer);
    let isClosed = false;
    const tell = (now: TableState): void => {
      if (!isClosed) setState(now);
    };
    tell({ kind: 'loading' });
    reader.open().then(
      (table) => tell({ kind: 'open', table, partAt: reader.partAt }),
      (thrown: unknown) => tell({ kind: 'failed', thrown }),
    );
    return () => {
      isClosed = true;
      reader.close();
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each attempt starts a new decoder
  }, [source, format, attempt]);
  return { state, again };
}
