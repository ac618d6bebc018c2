import { describe, expect, test } from 'vitest';
import { forEachScheduled, PartScheduler } from '../../../../electron/core/flow/part-scheduler.ts';

const never = new AbortController().signal;

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

describe('the part scheduler', () => {
  test('keeps as many parts in flight as the limit allows, over all files', async () => {
    const scheduler = new PartScheduler(() => 3);
    const seen: number[] = [];
    let inFlight = 0;
    const file = async (order: number, parts: number): Promise<void> =>
      await forEachScheduled(Array.from({ length: parts }), { scheduler, order, signal: never }, async () => {
        inFlight += 1;
        await turn();
        seen.push(inFlight);
        inFlight -= 1;
      });
    await Promise.all([file(0, 4), file(1, 1), file(2, 7)]);
    expect(seen).toHaveLength(12);
    expect(Math.max(...seen)).toBe(3);
    expect(seen.slice(0, 9).every((count) => count > 0)).toBe(true);
  });

  test('serves earlier files first and gives free slots to the next', async () => {
    const scheduler = new PartScheduler(() => 2);
    const begun: string[] = [];
    const file = async (order: number): Promise<void> =>
      await forEachScheduled(['a', 'b', 'c'], { scheduler, order, signal: never }, async (part) => {
        begun.push(`${order}${part}`);
        await turn();
      });
    await Promise.all([file(1), file(0), file(2)]);
    expect(begun).toEqual(['1a', '1b', '0a', '0b', '0c', '1c', '2a', '2b', '2c']);
  });

  test('drops the queued parts of a file that failed, and of no other', async () => {
    const scheduler = new PartScheduler(() => 1);
    const begun: string[] = [];
    const file = async (order: number): Promise<void> =>
      await forEachScheduled(['a', 'b', 'c'], { scheduler, order, signal: never }, async (part) => {
        begun.push(`${order}${part}`);
        await turn();
        if (order === 0) throw new Error('broken');
      });
    const results = await Promise.allSettled([file(0), file(1)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(begun).toEqual(['0a', '1a', '1b', '1c']);
  });

  test('does not start a part aborted while queued, and frees its slot', async () => {
    const scheduler = new PartScheduler(() => 1);
    const stopped = new AbortController();
    const first = scheduler.run(0, never, turn);
    const waiting = scheduler.run(1, stopped.signal, () => Promise.reject(new Error('It has begun.')));
    stopped.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await first;
    expect(await scheduler.run(2, never, () => Promise.resolve('begun'))).toBe('begun');
  });

  test('uses a limit that is raised meanwhile', async () => {
    let limit = 1;
    const scheduler = new PartScheduler(() => limit);
    let highest = 0;
    let inFlight = 0;
    const work = async (): Promise<void> => {
      inFlight += 1;
      highest = Math.max(highest, inFlight);
      await turn();
      await turn();
      inFlight -= 1;
    };
    const all = Array.from({ length: 6 }, async () => await scheduler.run(0, never, work));
    limit = 3;
    await Promise.all(all);
    expect(highest).toBe(3);
  });
});
