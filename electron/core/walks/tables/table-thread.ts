import { rmSync } from 'node:fs';
import path from 'node:path';
import {
  ObjectThread,
  type MethodInput,
  type MethodOf,
  type MethodOutput,
} from '../../flow/worker-thread.ts';
import type { WalkSort } from '../../../../shared/models/walks.ts';
import type { Cursor, ExportChunk, RowFormat } from './export-text.ts';
import type { TableCalls } from './table.ts';

/** The table of one walk. All tables are in one shared thread. */
export interface TableHandle {
  /** True once a call has been sent to the table. */
  readonly isOpen: boolean;
  ask<M extends MethodOf<TableCalls>>(
    method: M,
    input: MethodInput<TableCalls, M>,
  ): Promise<MethodOutput<TableCalls, M>>;
}

export interface TableThread {
  open(walkId: string): TableHandle;
  close(): Promise<void>;
}

/**
 * Creates the thread that holds the tables, and deletes files of earlier runs. The thread starts with the first call and does not
 * keep the process alive.
 */
export function createTableThread(dir: string): TableThread {
  rmSync(dir, { recursive: true, force: true });
  const thread = new ObjectThread<TableCalls>({
    url: new URL('./walk-table-worker.ts', import.meta.url),
    limits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 },
    diedMessage: 'The thread that holds the results ended unexpectedly.',
  });
  return {
    open: (walkId) => {
      let opened: Promise<void> | null = null;
      return {
        get isOpen() {
          return opened !== null;
        },
        ask: async (method, input) => {
          // The file is created with the first call, because a walk that only counts needs none.
          await (opened ??= thread.ask(walkId, 'open', { file: path.join(dir, `${walkId}.db`) }));
          return await thread.ask(walkId, method, input);
        },
      };
    },
    close: async () => {
      await thread.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const rowsPerChunk = 2000;

/** Renders the rows of a table in chunks. */
export async function* exportOf(
  table: TableHandle,
  request: { readonly format: RowFormat; readonly bucket: string; readonly hasEtags: boolean },
  sort: WalkSort,
): AsyncGenerator<ExportChunk, void, void> {
  let from: Cursor | null = null;
  do {
    const chunk: ExportChunk = await table.ask('export', { ...request, sort, from, limit: rowsPerChunk });
    yield chunk;
    from = chunk.next;
  } while (from !== null);
}
