import { describe, expect, test } from 'vitest';
import {
  completeWatched,
  maxCompleteMs,
  maxSilenceMs,
  maxCheckIntervalMs,
  silenceMs,
  SilenceWatch,
} from '../../../../electron/core/multipart/hanging-complete.ts';

/** Returns the times of the checks until `untilMs`, with signs of life from the service at the times in `signs`. */
function looksWithin(untilMs: number, signs: readonly number[] = []): readonly number[] {
  const watch = new SilenceWatch(0);
  const looks: number[] = [];
  for (let nowMs = 0; nowMs <= untilMs; nowMs += 1000) {
    if (signs.includes(nowMs)) watch.noteByte(nowMs);
    if (!watch.isDue(nowMs)) continue;
    looks.push(nowMs / silenceMs);
    watch.noteCheck(nowMs);
  }
  return looks;
}

describe('while CompleteMultipartUpload has no response', () => {
  test('the key is checked after a minute, then ever less often', () => {
    expect(looksWithin(maxSilenceMs - 1000)).toEqual([1, 3, 7, 15]);
    expect(maxCheckIntervalMs).toBe(10 * silenceMs);
  });
  test('a byte of the response restarts the minute', () => {
    expect(looksWithin(4 * silenceMs, [30_000, 60_000, 90_000])).toEqual([2.5]);
  });
  test('endless white space delays the checks by at most ten minutes', () => {
    const signs = Array.from({ length: 1800 }, (_none, index) => index * 1000);
    expect(looksWithin(29 * silenceMs, signs)).toEqual([10, 20]);
  });
});

/** A clock that the test advances. Each step wakes the waiters. */
function steppedClock() {
  let nowMs = 0;
  let waiting: (() => void)[] = [];
  return {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    /** Resolves at the next step, regardless of the delay. */
    sleep: async (_delayMs: number, signal?: AbortSignal): Promise<void> => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      signal?.throwIfAborted();
    },
    async step(ms: number): Promise<void> {
      for (let passed = 0; passed < ms; passed += 1000) {
        nowMs += 1000;
        const now = waiting;
        waiting = [];
        for (const wake of now) wake();
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      }
    },
  };
}

function hang(options: { readonly provedFromLook?: number } = {}) {
  const clock = steppedClock();
  const reply = Promise.withResolvers<string>();
  const seen = {
    looks: 0,
    dropped: false,
    silent: [] as boolean[],
    wanted: false,
    signOfLife: () => undefined as void,
  };
  const stop = new AbortController();
  const ended = completeWatched(
    async (signal, onSignOfLife) => {
      seen.signOfLife = onSignOfLife;
      signal.addEventListener('abort', () => {
        seen.dropped = true;
        reply.reject(new Error('dropped'));
      });
      return await reply.promise;
    },
    {
      clock,
      signal: stop.signal,
      checkKey: () => {
        seen.looks += 1;
        return Promise.resolve(seen.looks >= (options.provedFromLook ?? Number.POSITIVE_INFINITY));
      },
      takeCheckRequest: () => {
        const { wanted } = seen;
        seen.wanted = false;
        return wanted;
      },
      onSilence: (isSilent) => seen.silent.push(isSilent),
    },
  );
  return { clock, answer: reply, seen, stop, ended };
}

describe('a watched CompleteMultipartUpload', () => {
  test('returns its response without a check within the first minute', async () => {
    const { clock, answer, seen, ended } = hang();
    await clock.step(silenceMs - 1000);
    answer.resolve('done');
    expect(await ended).toBe('done');
    expect(seen.looks).toBe(0);
  });
  test('is dropped once a check of the key proves the object', async () => {
    const { clock, seen, ended } = hang({ provedFromLook: 2 });
    await clock.step(silenceMs);
    expect(seen).toMatchObject({ looks: 1, dropped: false, silent: [true] });
    await clock.step(2 * silenceMs);
    expect(await ended).toBeNull();
    expect(seen.dropped).toBe(true);
  });
  test('is checked at once on request', async () => {
    const { clock, seen, ended } = hang({ provedFromLook: 1 });
    seen.wanted = true;
    await clock.step(1000);
    expect(await ended).toBeNull();
  });
  test('postpones the check when white space arrives', async () => {
    const { clock, answer, seen, ended } = hang();
    await clock.step(silenceMs);
    seen.signOfLife();
    expect(seen.silent).toEqual([true, false]);
    await clock.step(silenceMs - 1000);
    expect(seen.looks).toBe(1);
    answer.resolve('done');
    await ended;
  });
  test('times out with an unknown outcome after twenty silent minutes and a last check', async () => {
    const { clock, seen, ended } = hang();
    const end = ended.catch((thrown: unknown) => thrown);
    await clock.step(maxSilenceMs - 1000);
    expect(seen.dropped).toBe(false);
    await clock.step(1000);
    expect(await end).toMatchObject({ error: { code: 'timeout', retry: 'backoff', outcome: 'unknown' } });
    expect(seen).toMatchObject({ dropped: true, looks: 5 });
  });
  test('times out with an unknown outcome after an hour of white space', async () => {
    const { clock, seen, ended } = hang();
    const end = ended.catch((thrown: unknown) => thrown);
    for (let passed = 0; passed < maxCompleteMs; passed += 1000) {
      seen.signOfLife();
      await clock.step(1000);
    }
    expect(await end).toMatchObject({ error: { outcome: 'unknown' } });
  });
  test('rejects as its request does', async () => {
    const { clock, answer, ended } = hang();
    await clock.step(1000);
    answer.reject(new Error('broken'));
    await expect(ended).rejects.toThrow('broken');
  });
});
