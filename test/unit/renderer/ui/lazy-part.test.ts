import { expect, test } from 'vitest';
import { loadAgain } from '../../../../renderer/ui/lazy-part.tsx';

/** Loads with an outcome per attempt and an answer per question for the program. Returns what happened, in order. */
async function outcome(attempts: readonly boolean[], reachable: readonly boolean[]): Promise<string> {
  const happened: string[] = [];
  const nextAttempt = attempts.values();
  const nextAnswer = reachable.values();
  const load = async (): Promise<string> => {
    happened.push('load');
    if (nextAttempt.next().value === true) return await Promise.resolve('loaded');
    throw new TypeError('Failed to fetch dynamically imported module');
  };
  const retry = {
    isReachable: async (): Promise<boolean> => await Promise.resolve(nextAnswer.next().value === true),
    pause: async (): Promise<void> => {
      happened.push('pause');
      await Promise.resolve();
    },
  };
  await loadAgain(load, retry).then(
    (value) => happened.push(value),
    () => happened.push('failed'),
  );
  return happened.join(' ');
}

test('a part that loads is loaded once', async () => {
  expect(await outcome([true], [])).toBe('load loaded');
});

test('a part is loaded again after each pause while the program is unreachable', async () => {
  expect(await outcome([false, false, true], [false, false])).toBe('load pause load pause load loaded');
});

test('a part that failed is loaded once more if the program responds', async () => {
  expect(await outcome([false, true], [true])).toBe('load load loaded');
});

test('a part that the program does not have fails', async () => {
  expect(await outcome([false, false, true], [true])).toBe('load load failed');
});
