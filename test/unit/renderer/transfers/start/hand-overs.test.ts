import { expect, test } from 'vitest';
import { HandOvers } from '../../../../../renderer/features/transfers/start/hand-overs.ts';
import type { TakeProgress } from '../../../../../renderer/rpc/dropped-files.ts';

function handOvers() {
  const shown: (TakeProgress | null)[] = [];
  const all = new HandOvers((progress) => shown.push(progress));
  const begin = () => {
    const end = Promise.withResolvers<undefined>();
    const begun = { signal: new AbortController().signal, put: (_progress: TakeProgress): void => undefined };
    const done = all.run(async (signal, put) => {
      Object.assign(begun, { signal, put });
      signal.addEventListener('abort', () => end.reject(signal.reason));
      await end.promise;
    });
    return { begun, done, end };
  };
  return { all, begin, last: () => shown.at(-1) };
}

test('a second drop of files leaves the first hand-over running, and both are shown as one sum', async () => {
  const { begin, last } = handOvers();
  const first = begin();
  first.begun.put({ files: 3, sentBytes: 30 });
  const second = begin();
  expect(first.begun.signal.aborted).toBe(false);
  second.begun.put({ files: 1, sentBytes: 5 });
  expect(last()).toEqual({ files: 4, sentBytes: 35 });
  first.end.resolve(undefined);
  await first.done;
  expect(last()).toEqual({ files: 1, sentBytes: 5 });
  second.end.resolve(undefined);
  await second.done;
  expect(last()).toBeNull();
});

test('stopping ends every hand-over without an error', async () => {
  const { all, begin, last } = handOvers();
  const runs = [begin(), begin()];
  all.stop();
  await Promise.all(runs.map(({ done }) => done));
  expect(last()).toBeNull();
});

test('a hand-over that fails reports its error and leaves the others running', async () => {
  const { begin, last } = handOvers();
  const first = begin();
  const second = begin();
  second.begun.put({ files: 2, sentBytes: 9 });
  first.end.reject(new Error('unreadable'));
  await expect(first.done).rejects.toThrow('unreadable');
  expect(second.begun.signal.aborted).toBe(false);
  expect(last()).toEqual({ files: 2, sentBytes: 9 });
  second.end.resolve(undefined);
  await second.done;
});
