import { parentPort } from 'node:worker_threads';
import { assertNever } from '../../../../shared/assert-never.ts';
import { WalkTable } from './table.ts';
import type { TableResponse, TableCall, TableCalls, TableQuestion } from './table-messages.ts';

/** The port of this thread, which holds the tables of all walks. */
const port = parentPort;
if (port === null) throw new Error('walk-table-worker runs as a worker thread only.');

const tables = new Map<string, WalkTable>();

port.on('message', (question: TableQuestion) => {
  const { id, call } = question;
  try {
    const output = outputOf(question);
    const isExport = call === 'export' && output !== null && 'bytes' in output;
    port.postMessage(
      { id, kind: 'done', output } satisfies TableResponse,
      isExport ? [output.bytes.buffer] : [],
    );
  } catch (thrown) {
    void failed(id, thrown);
  }
});

/** Sends an error to the main thread. Loads the code that converts errors with the first failure. */
async function failed(id: number, thrown: unknown): Promise<void> {
  const { appErrorOf: errorOf } = await import('../../store/sqlite-errors.ts');
  port?.postMessage({ id, kind: 'failed', error: errorOf(thrown) } satisfies TableResponse);
}

function outputOf({ walkId, call, input }: TableQuestion): TableCalls[TableCall]['output'] {
  if (call === 'open') {
    tables.set(walkId, new WalkTable((input as TableCalls['open']['input']).file));
    return null;
  }
  const table = tables.get(walkId);
  if (table === undefined) throw new Error('This table is not open.');
  switch (call) {
    case 'add':
      table.add(input as TableCalls['add']['input']);
      return null;
    case 'restart':
      table.restart(input as TableCalls['restart']['input']);
      return null;
    case 'change':
      return table.change(input as TableCalls['change']['input']);
    case 'present':
      return table.present(input as TableCalls['present']['input']);
    case 'read':
      return table.read(input as TableCalls['read']['input']);
    case 'children':
      return table.children(input as TableCalls['children']['input']);
    case 'after':
      return table.after(input as TableCalls['after']['input']);
    case 'found':
      return table.found(input as TableCalls['found']['input']);
    case 'export':
      return table.export(input as TableCalls['export']['input']);
    case 'holdings':
      return table.holdings(input as TableCalls['holdings']['input']);
    case 'drop':
      tables.delete(walkId);
      table.drop();
      return null;
    default:
      return assertNever(call);
  }
}
