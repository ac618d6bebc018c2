import { parentPort } from 'node:worker_threads';
import { toAppError } from '../../../shared/errors.ts';
import { storageFailureOf } from '../store/sqlite-errors.ts';
import { WalkTable } from './table.ts';
import type { TableAnswer, TableCall, TableCalls, TableQuestion } from './table-messages.ts';

/** The thread that holds the tables of all walks. */
const port = parentPort;
if (port === null) throw new Error('walk-table-worker runs as a worker thread only.');

const tables = new Map<string, WalkTable>();

port.on('message', (question: TableQuestion) => {
  const answer = answerTo(question);
  const isExport = question.call === 'export' && answer.kind === 'done';
  port.postMessage(answer, isExport ? [(answer.output as TableCalls['export']['output']).bytes.buffer] : []);
});

function answerTo(question: TableQuestion): TableAnswer {
  const { id } = question;
  try {
    return { id, kind: 'done', output: outputOf(question) };
  } catch (thrown) {
    return { id, kind: 'failed', error: toAppError(storageFailureOf(thrown) ?? thrown) };
  }
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
    case 'drop':
      tables.delete(walkId);
      table.drop();
      return null;
  }
}
