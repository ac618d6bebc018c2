import { useEffect, useReducer, useState } from 'react';
import type { RangeSource } from '../frame/range-source.ts';
import type { TableDescription } from '../columnar/columnar-file.ts';
import type { TableChoice } from '../columnar/columnar-messages.ts';
import { startTimer } from './decoder-worker.ts';
import { tableReader, type DecoderWorker, type TableReader } from '../columnar/table-reader.ts';

type TableState =
  | { readonly kind: 'loading' }
  | {
      readonly kind: 'open';
      readonly table: TableDescription;
      readonly reader: Pick<TableReader, 'partAt' | 'rowAt'>;
    }
  | { readonly kind: 'failed'; readonly thrown: unknown };

/** A table and the function that starts its worker. Pass the same object on every render, or the table is opened again. */
export interface OpenChoice extends TableChoice {
  readonly startWorker: () => DecoderWorker;
}

/** Opens a table in a decoder worker. Terminates the worker when the viewer unmounts. */
export function useTable(source: RangeSource, choice: OpenChoice) {
  const [state, setState] = useState<TableState>({ kind: 'loading' });
  const [attempt, again] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    const { format, sqlite, startWorker } = choice;
    const reader = tableReader(source, { format, sqlite }, startWorker(), startTimer);
    let isClosed = false;
    const tell = (now: TableState): void => {
      if (!isClosed) setState(now);
    };
    tell({ kind: 'loading' });
    reader.open().then(
      (table) => tell({ kind: 'open', table, reader }),
      (thrown: unknown) => tell({ kind: 'failed', thrown }),
    );
    return () => {
      isClosed = true;
      reader.close();
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each attempt starts a new decoder
  }, [source, choice, attempt]);
  return { state, again };
}
