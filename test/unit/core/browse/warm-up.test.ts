import { expect, test } from 'vitest';
import { warmUpListings } from '../../../../electron/core/browse/warm-up.ts';

test('the JIT warm-up parses listings in rounds, with a pause before and between them', async () => {
  const rests: number[] = [];
  let tasks = 0;
  const sleep = async (delayMs: number): Promise<void> => {
    rests.push(delayMs);
    const before = tasks;
    await new Promise((resolve) => setImmediate(resolve));
    expect(tasks, 'others come to their turn').toBeGreaterThan(before);
  };
  let isOver = false;
  const other = (): void => {
    tasks += 1;
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  await warmUpListings({ sleep });
  isOver = true;
  expect(rests).toEqual([150, 10, 10, 10, 10]);
});
