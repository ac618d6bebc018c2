import { answerCalls } from '../../flow/answer-calls.ts';
import type { MethodOf } from '../../flow/worker-thread.ts';
import { WalkTable, type TableCalls } from './table.ts';

/** The tables of all walks in this thread. */
const tables = new Map<string, WalkTable>();

answerCalls(
  (call) => {
    const { target: walkId, input } = call;
    const method = call.method as MethodOf<TableCalls>;
    if (method === 'open') {
      tables.set(walkId, new WalkTable((input as { file: string }).file));
      return null;
    }
    const table = tables.get(walkId);
    if (table === undefined) throw new Error('This table is not open.');
    if (method === 'drop') tables.delete(walkId);
    return table[method](input as never);
  },
  // Loads the code that converts errors with the first failure.
  async (thrown) => (await import('../../store/sqlite-errors.ts')).appErrorOf(thrown),
);
