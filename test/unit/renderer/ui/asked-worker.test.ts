import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { requestWorker, WorkerEnded } from '../../../../renderer/ui/asked-worker.ts';

/** A worker whose replies the test provides. */
class HandWorker extends EventTarget {
  readonly heard: unknown[] = [];
  isEnded = false;

  postMessage(message: unknown): void {
    this.heard.push(message);
  }

  terminate(): void {
    this.isEnded = true;
  }

  answer(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

const never = (): AbortSignal => new AbortController().signal;
const asked = (worker: HandWorker, signal = never()): ReturnType<typeof requestWorker<string, string>> =>
  requestWorker<string, string>(worker, signal, 1000);

const failureOf = async (reply: Promise<string>): Promise<unknown> => {
  try {
    return await reply;
  } catch (thrown) {
    return thrown;
  }
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('requests to a worker are sent one at a time and matched to their responses', async () => {
  const worker = new HandWorker();
  const { ask } = asked(worker);
  const first = ask('one');
  const second = ask('two');
  await vi.advanceTimersByTimeAsync(0);
  expect(worker.heard).toEqual(['one']);
  worker.answer('1');
  expect(await first).toBe('1');
  await vi.advanceTimersByTimeAsync(0);
  expect(worker.heard).toEqual(['one', 'two']);
  worker.answer('2');
  expect(await second).toBe('2');
});

test('a message without response is sent to the worker at once', async () => {
  const worker = new HandWorker();
  const { ask, tell } = asked(worker);
  tell('rows');
  const sorted = ask('sort');
  await vi.advanceTimersByTimeAsync(0);
  expect(worker.heard).toEqual(['rows', 'sort']);
  worker.answer('sorted');
  expect(await sorted).toBe('sorted');
});

test('a worker silent for too long is terminated and rejects all requests', async () => {
  const worker = new HandWorker();
  const { ask } = asked(worker);
  const first = failureOf(ask('one'));
  const second = failureOf(ask('two'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(await first).toBeInstanceOf(WorkerEnded);
  expect(await second).toBeInstanceOf(WorkerEnded);
  expect(worker.isEnded).toBe(true);
});

test('the timeout starts when a request is sent, not while it is queued', async () => {
  const worker = new HandWorker();
  const { ask } = asked(worker);
  const first = ask('one');
  const second = ask('two');
  await vi.advanceTimersByTimeAsync(900);
  worker.answer('1');
  expect(await first).toBe('1');
  await vi.advanceTimersByTimeAsync(900);
  worker.answer('2');
  expect(await second).toBe('2');
  expect(worker.isEnded).toBe(false);
});

test('a worker that fails rejects its request', async () => {
  const worker = new HandWorker();
  const { ask } = asked(worker);
  const failed = failureOf(ask('one'));
  await vi.advanceTimersByTimeAsync(0);
  worker.dispatchEvent(new Event('error'));
  expect(await failed).toBeInstanceOf(WorkerEnded);
  expect(worker.isEnded).toBe(true);
});

test("aborting terminates the worker and rejects with the signal's reason", async () => {
  const worker = new HandWorker();
  const control = new AbortController();
  const { ask } = asked(worker, control.signal);
  const stopped = failureOf(ask('one'));
  await vi.advanceTimersByTimeAsync(0);
  control.abort(new Error('left'));
  expect(await stopped).toEqual(new Error('left'));
  expect(worker.isEnded).toBe(true);
});

test('a queued request rejects when the worker is terminated', async () => {
  const worker = new HandWorker();
  const { ask, end } = asked(worker);
  const waiting = failureOf(ask('one'));
  await vi.advanceTimersByTimeAsync(0);
  end();
  expect(await waiting).toBeInstanceOf(WorkerEnded);
});
