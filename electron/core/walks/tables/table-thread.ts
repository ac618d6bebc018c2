import { rmSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppFailure, failure } from '../../../../shared/errors.ts';
import { makePrivateFolder } from '../../store/private-file.ts';
import type { TableAnswer, TableCall, TableCalls, TableQuestion } from './table-messages.ts';

/** The table of one walk, in the thread that holds them all. */
export interface TableHandle {
  /** Whether it was ever asked anything. */
  readonly isOpen: boolean;
  ask<C extends TableCall>(call: C, input: TableCalls[C]['input']): Promise<TableCalls[C]['output']>;
}

export interface TableThread {
  open(walkId: string): TableHandle;
  close(): Promise<void>;
}

interface Asked {
  readonly resolve: (output: TableCalls[TableCall]['output']) => void;
  readonly reject: (thrown: unknown) => void;
}

const threadLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 };
const workerUrl = new URL('./walk-table-worker.ts', import.meta.url);

/** What an earlier run left behind goes at once; the thread starts with the first walk, and does not keep the program alive. */
export function createTableThread(dir: string): TableThread {
  const asked = new Map<number, Asked>();
  let worker: Worker | null = null;
  let nextId = 1;
  let closed = false;
  rmSync(dir, { recursive: true, force: true });

  const start = (): Worker => {
    makePrivateFolder(dir);
    const made = new Worker(workerUrl, { resourceLimits: threadLimits });
    made.unref();
    made.on('message', (answer: TableAnswer) => {
      const waiting = asked.get(answer.id);
      asked.delete(answer.id);
      if (asked.size === 0) made.unref();
      if (answer.kind === 'done') waiting?.resolve(answer.output);
      else waiting?.reject(new AppFailure(answer.error));
    });
    made.on('error', (thrown) => {
      worker = null;
      fail(
        failure('internal', 'The thread that holds what was found ended unexpectedly.', { cause: thrown }),
      );
    });
    return made;
  };

  const fail = (thrown: Error): void => {
    for (const { reject } of asked.values()) reject(thrown);
    asked.clear();
  };

  const ask = async <C extends TableCall>(
    walkId: string,
    call: C,
    input: TableCalls[C]['input'],
  ): Promise<TableCalls[C]['output']> => {
    if (closed) throw failure('cancelled', 'The program ends.');
    worker ??= start();
    const question: TableQuestion<C> = { id: nextId++, walkId, call, input };
    const { promise, resolve, reject } = Promise.withResolvers<TableCalls[TableCall]['output']>();
    asked.set(question.id, { resolve, reject });
    worker.ref();
    const rows = call === 'add' ? (input as TableCalls['add']['input']).rows : null;
    worker.postMessage(question, rows === null ? [] : [rows.buffer]);
    return await promise;
  };

  return {
    open: (walkId) => {
      let opened: Promise<null> | null = null;
      return {
        get isOpen() {
          return opened !== null;
        },
        ask: async (call, input) => {
          // With the first thing it is to hold: a folder's size alone needs no file.
          await (opened ??= ask(walkId, 'open', { file: path.join(dir, `${walkId}.db`) }));
          return await ask(walkId, call, input);
        },
      };
    },
    close: async () => {
      closed = true;
      fail(failure('cancelled', 'The program ends.'));
      await worker?.terminate();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
