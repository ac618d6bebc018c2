import { rmSync } from 'node:fs';
import path from 'node:path';
import { AppFailure, failure } from '../../../../shared/errors.ts';
import { WorkerThread } from '../../flow/worker-thread.ts';
import { makePrivateFolder } from '../../store/private-file.ts';
import type { TableResponse, TableCall, TableCalls, TableQuestion } from './table-messages.ts';

/** The table of one walk. All tables are in one shared thread. */
export interface TableHandle {
  /** True once a call has been sent to the table. */
  readonly isOpen: boolean;
  ask<C extends TableCall>(call: C, input: TableCalls[C]['input']): Promise<TableCalls[C]['output']>;
}

export interface TableThread {
  open(walkId: string): TableHandle;
  close(): Promise<void>;
}

const limits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 };
const url = new URL('./walk-table-worker.ts', import.meta.url);
const diedMessage = 'The thread that holds the results ended unexpectedly.';

/**
 * Creates the thread that holds the tables, and deletes files of earlier runs. The thread starts with the first call and does not
 * keep the process alive.
 */
export function createTableThread(dir: string): TableThread {
  let thread: WorkerThread<TableQuestion, TableResponse> | null = null;
  let nextId = 1;
  let closed = false;
  rmSync(dir, { recursive: true, force: true });

  const start = (): WorkerThread<TableQuestion, TableResponse> => {
    makePrivateFolder(dir);
    return new WorkerThread({ url, limits, diedMessage, onDeath: () => (thread = null) });
  };

  const ask = async <C extends TableCall>(
    walkId: string,
    call: C,
    input: TableCalls[C]['input'],
  ): Promise<TableCalls[C]['output']> => {
    if (closed) throw failure('cancelled', 'Cooper is quitting.');
    thread ??= start();
    const rows = call === 'add' ? (input as TableCalls['add']['input']).rows : null;
    const response = await thread.ask(
      { id: nextId++, walkId, call, input },
      rows === null ? [] : [rows.buffer],
    );
    if (response.kind === 'failed') throw new AppFailure(response.error);
    return response.output;
  };

  return {
    open: (walkId) => {
      let opened: Promise<null> | null = null;
      return {
        get isOpen() {
          return opened !== null;
        },
        ask: async (call, input) => {
          // The file is created with the first call, because a walk that only counts needs none.
          await (opened ??= ask(walkId, 'open', { file: path.join(dir, `${walkId}.db`) }));
          return await ask(walkId, call, input);
        },
      };
    },
    close: async () => {
      closed = true;
      await thread?.end(failure('cancelled', 'Cooper is quitting.'));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
