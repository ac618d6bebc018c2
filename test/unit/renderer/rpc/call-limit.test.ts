import { expect, it } from 'vitest';
import { CallLimit } from '../../../../renderer/rpc/call-limit.ts';

const never = new AbortController().signal;

it('a call limit makes only as many calls at once as allowed, in the order of the requests', async () => {
  const limit = new CallLimit(3);
  let inFlight = 0;
  let highest = 0;
  const made: number[] = [];
  const calls = Array.from({ length: 1000 }, async (_, at) => {
    await limit.run(async () => {
      made.push(at);
      inFlight += 1;
      highest = Math.max(highest, inFlight);
      await Promise.resolve();
      inFlight -= 1;
      if (at % 10 === 0) throw new Error('refused');
    }, never);
  });
  const results = await Promise.allSettled(calls);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(100);
  expect(highest).toBe(3);
  expect(made).toEqual(Array.from({ length: 1000 }, (_, at) => at));
});

it('a call limit does not make a call that was aborted while it waited', async () => {
  const limit = new CallLimit(1);
  const first = Promise.withResolvers<string>();
  const aborter = new AbortController();
  const made: string[] = [];
  const call = (name: string) => async (): Promise<string> => {
    made.push(name);
    return await Promise.resolve(name);
  };
  const running = limit.run(() => first.promise, never);
  const given = limit.run(call('given up'), aborter.signal);
  const last = limit.run(call('last'), never);
  aborter.abort(new Error('closed'));
  first.resolve('first');
  await expect(given).rejects.toThrow('closed');
  expect(await Promise.all([running, last])).toEqual(['first', 'last']);
  expect(made).toEqual(['last']);
});
