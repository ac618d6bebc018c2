import { afterEach, expect, test } from 'vitest';
import { ObjectThread, WorkerThread } from '../../../../electron/core/flow/worker-thread.ts';

interface Question {
  readonly id: number;
  readonly say: 'now' | 'after-next' | 'in-two' | 'die' | 'nothing';
  readonly bytes?: ArrayBuffer;
}
interface WorkerResponse {
  readonly id: number;
  readonly part?: boolean;
}

const code = `
import { parentPort } from 'node:worker_threads';
let kept = null;
parentPort.on('message', ({ id, say }) => {
  if (say === 'die') throw new Error('dead');
  if (say === 'after-next') kept = id;
  if (say === 'in-two') parentPort.postMessage({ id, part: true });
  if (say === 'now' || say === 'in-two') parentPort.postMessage({ id });
  if (say === 'now' && kept !== null) parentPort.postMessage({ id: kept });
});`;
const url = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
const limits = { maxOldGenerationSizeMb: 16 };

let deaths = 0;
let threads: WorkerThread<Question, WorkerResponse>[] = [];
const start = (): WorkerThread<Question, WorkerResponse> => {
  const thread = new WorkerThread<Question, WorkerResponse>({
    url,
    limits,
    diedMessage: 'The thread ended.',
    isPartial: ({ part }) => part === true,
    onDeath: () => {
      deaths += 1;
    },
  });
  threads.push(thread);
  return thread;
};
afterEach(async () => {
  await Promise.all(threads.map(async (thread) => await thread.end(new Error('over'))));
  threads = [];
  deaths = 0;
});

test('responses of a worker thread are matched to their requests in any order', async () => {
  const thread = start();
  const order: number[] = [];
  const first = thread.ask({ id: 1, say: 'after-next' }).then(({ id }) => order.push(id));
  const second = thread.ask({ id: 2, say: 'now' }).then(({ id }) => order.push(id));
  await Promise.all([first, second]);
  expect(order).toEqual([2, 1]);
});

test('a partial response leaves its request pending', async () => {
  const parts: WorkerResponse[] = [];
  const reply = await start().ask({ id: 1, say: 'in-two' }, [], (part) => parts.push(part));
  expect(parts).toEqual([{ id: 1, part: true }]);
  expect(reply).toEqual({ id: 1 });
});

test('a transferred buffer is detached at once', async () => {
  const bytes = new ArrayBuffer(8);
  const answered = start().ask({ id: 1, say: 'now', bytes }, [bytes]);
  expect(bytes.byteLength).toBe(0);
  await answered;
});

test('a crashed worker thread rejects all pending requests', async () => {
  const thread = start();
  const asked = [thread.ask({ id: 1, say: 'nothing' }), thread.ask({ id: 2, say: 'die' })];
  const reason = { error: { code: 'internal', message: 'The thread ended.' } };
  expect(await Promise.allSettled(asked)).toMatchObject([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ]);
  expect(deaths).toBe(1);
});

test('a stopped worker thread rejects pending requests with the reason, which is no crash', async () => {
  const thread = start();
  const asked = Promise.allSettled([thread.ask({ id: 1, say: 'nothing' })]);
  await thread.end(new Error('enough'));
  expect(await asked).toMatchObject([{ status: 'rejected', reason: { message: 'enough' } }]);
  expect(deaths).toBe(0);
});

/** The methods of the object in the thread below. */
interface Sums {
  add(input: { readonly bytes: Uint8Array<ArrayBuffer> }): { readonly total: number };
  function(input: null): unknown;
}

const sumsCode = `
import { answerCalls } from '${new URL('../../../../electron/core/flow/answer-calls.ts', import.meta.url).href}';
let total = 0;
const sums = {
  add: ({ bytes }) => ({ total: total += bytes[0] }),
  function: () => () => total,
};
answerCalls(
  ({ method, input }) => sums[method](input),
  async ({ message }) => ({ code: 'internal', message }),
);`;

test('a result that cannot be sent fails its call, and the thread keeps its objects', async () => {
  const thread = new ObjectThread<Sums>({
    url: new URL(`data:text/javascript,${encodeURIComponent(sumsCode)}`),
    limits,
    diedMessage: 'The thread ended.',
  });
  try {
    await thread.ask('', 'add', { bytes: Uint8Array.of(3) });
    const refused = {
      error: { code: 'internal', message: expect.stringContaining('could not be cloned') as string },
    };
    await expect(thread.ask('', 'function', null)).rejects.toMatchObject(refused);
    expect(await thread.ask('', 'add', { bytes: Uint8Array.of(4) })).toEqual({ total: 7 });
  } finally {
    await thread.close();
  }
});
