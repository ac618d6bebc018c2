import { isAscii } from 'node:buffer';
import { parentPort } from 'node:worker_threads';
import { toAppError } from '../../../shared/errors.ts';
import { compileQuery, type Matcher } from './matcher.ts';
import type { PageAnswer, PageTask, PageWish } from './page-messages.ts';
import { tallyBody, tallyObjects, type TallyOptions } from './page-tally.ts';

/** A thread that reads listing pages and tries the query on each key. */
const port = parentPort;
if (port === null) throw new Error('walk-page-worker runs as a worker thread only.');

const maxKept = 16;
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
    const bytes = Buffer.from(content.memory, 0, content.sizeBytes);
    const sum = tallyBody(bytes, textOf(bytes), options);
    return sum === null ? { id, kind: 'foreign' } : { id, kind: 'sum', sum };
  } catch (thrown) {
    return { id, kind: 'failed', error: toAppError(thrown) };
  }
}

/** '' where it is no text: the ordinary reader says so. */
function textOf(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return '';
  }
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
