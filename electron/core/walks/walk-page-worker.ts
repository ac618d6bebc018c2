import { parentPort } from 'node:worker_threads';
import { toAppError } from '../../../shared/errors.ts';
import { compileQuery, type Matcher } from './matcher.ts';
import type { PageAnswer, PageContent, PageTask, PageWish } from './page-messages.ts';
import { tallyBody, tallyObjects, type TallyOptions } from './page-tally.ts';

/** A thread that reads listing pages and tries the query on each key. */
const port = parentPort;
if (port === null) throw new Error('walk-page-worker runs as a worker thread only.');

const maxKept = 16;
const memories = new Map<number, SharedArrayBuffer>();
const matchers = new Map<string, Matcher>();

port.on('message', (task: PageTask) => {
  const answer = answerTo(task);
  const rows = answer.kind === 'sum' ? answer.sum.rows : null;
  port.postMessage(answer, rows === null ? [] : [rows.buffer]);
});

function answerTo(task: PageTask): PageAnswer {
  const { id } = task;
  try {
    const { wish, after, through, content } = task;
    const options: TallyOptions = { prefix: wish.prefix, matcher: matcherFor(wish), after, through };
    if (content.kind === 'objects')
      return { id, kind: 'sum', sum: tallyObjects(content.objects, true, options) };
    const bytes = Buffer.from(memoryOf(content), 0, content.sizeBytes);
    const sum = tallyBody(bytes, options);
    return sum === null ? { id, kind: 'foreign' } : { id, kind: 'sum', sum };
  } catch (thrown) {
    return { id, kind: 'failed', error: toAppError(thrown) };
  }
}

/** It is sent once: to hand shared memory over costs more than all the rest of a message. */
function memoryOf(content: PageContent & { kind: 'body' }): SharedArrayBuffer {
  const buffer = content.buffer ?? memories.get(content.memory);
  if (buffer === undefined) throw new Error('This memory was never sent.');
  if (content.isKept) memories.set(content.memory, buffer);
  return buffer;
}

function matcherFor(wish: PageWish): Matcher | null {
  if (wish.query === null) return null;
  const known = matchers.get(wish.walkId);
  if (known !== undefined) return known;
  const matcher = compileQuery(wish.query, wish.prefix);
  if (matchers.size >= maxKept) matchers.clear();
  matchers.set(wish.walkId, matcher);
  return matcher;
}
