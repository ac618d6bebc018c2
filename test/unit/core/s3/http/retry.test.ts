import { retryPolicies } from '../../../../../electron/core/flow/retry-policies.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideRetry,
  parseRetryAfter,
  runWithRetries,
  type Repeatable,
} from '../../../../../electron/core/s3/http/retry.ts';
import { failure, type AppError } from '../../../../../shared/errors.ts';
import { errorOf, fakeClock, fixedRandom } from '../../../../support/servers/s3-client.ts';

const passing: AppError = failure('server', 'x', { retry: 'backoff' }).error;
const question = {
  error: passing,
  repeatable: 'always' as Repeatable,
  triesMade: 1,
  elapsedMs: 0,
  policy: retryPolicies.request,
  fraction: 0.5,
};

describe('the retry decision', () => {
  it('waits a random share of an exponential delay up to the cap', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: retryPolicies.request.maxTries - 1 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (triesMade, fraction) => {
          const decision = decideRetry({ ...question, triesMade, fraction });
          if (decision.kind !== 'wait') throw new Error('gave up');
          expect(decision.delayMs).toBeLessThanOrEqual(Math.min(20_000, 100 * 2 ** (triesMade - 1)));
          expect(decision.delayMs).toBeGreaterThanOrEqual(0);
        },
      ),
    );
    expect(
      decideRetry({
        ...question,
        triesMade: 30,
        fraction: 0.999,
        policy: { ...retryPolicies.request, maxTries: 99 },
      }),
    ).toEqual({ kind: 'wait', delayMs: 19980 });
  });

  it('waits at least as long as Retry-After', () => {
    const error = { ...passing, retryAfterMs: 2_000 };
    expect(decideRetry({ ...question, error, fraction: 0 })).toEqual({ kind: 'wait', delayMs: 2_000 });
  });

  it('gives up if the service asks for a longer wait than the request may wait unreported', () => {
    const { patienceMs } = retryPolicies.request;
    for (const retryAfterMs of [patienceMs + 1, 600_000])
      expect(decideRetry({ ...question, error: { ...passing, retryAfterMs } })).toEqual({ kind: 'give-up' });
  });

  it('waits as long as the service asks in background work, within the retry budget', () => {
    const policy = { ...retryPolicies.request, patienceMs: Number.POSITIVE_INFINITY };
    const asked = (retryAfterMs: number) =>
      decideRetry({ ...question, policy, fraction: 0, error: { ...passing, retryAfterMs } });
    expect(asked(60_000)).toEqual({ kind: 'wait', delayMs: 60_000 });
    expect(asked(600_000)).toEqual({ kind: 'give-up' });
  });

  it('gives up when the attempts or the time are used up', () => {
    expect(decideRetry({ ...question, triesMade: 6 }).kind).toBe('give-up');
    expect(decideRetry({ ...question, elapsedMs: 120_001 }).kind).toBe('give-up');
  });

  it('gives up on errors that no wait can fix', () => {
    for (const retry of ['never', 'after-fix'] as const) {
      expect(decideRetry({ ...question, error: { ...passing, retry } }).kind).toBe('give-up');
    }
  });

  it('repeats a request that is not idempotent only if it was not applied', () => {
    const unknown = { ...passing, outcome: 'unknown' as const };
    expect(decideRetry({ ...question, repeatable: 'unless-applied' }).kind).toBe('wait');
    expect(decideRetry({ ...question, repeatable: 'unless-applied', error: unknown }).kind).toBe('give-up');
    expect(decideRetry({ ...question, repeatable: 'never' }).kind).toBe('give-up');
  });
});

describe('Retry-After', () => {
  const nowMs = Date.parse('2026-01-01T00:00:00Z');

  it('is parsed as seconds or a date and capped at an hour', () => {
    expect(parseRetryAfter('3', nowMs)).toBe(3_000);
    expect(parseRetryAfter('0', nowMs)).toBe(0);
    expect(parseRetryAfter('Thu, 01 Jan 2026 00:00:10 GMT', nowMs)).toBe(10_000);
    expect(parseRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', nowMs)).toBe(0);
    expect(parseRetryAfter('999999', nowMs)).toBe(3_600_000);
  });

  it('is null if it cannot be parsed', () => {
    for (const text of [undefined, '', 'soon', '-5', '5s']) {
      expect(parseRetryAfter(text, nowMs)).toBeNull();
    }
  });
});

const run = (signal = new AbortController().signal, repeatable: Repeatable = 'always') => {
  const clock = fakeClock();
  return {
    clock,
    options: {
      policy: retryPolicies.request,
      repeatable,
      clock,
      random: fixedRandom,
      signal,
      onRetry: () => undefined,
    },
  };
};

describe('running with retries', () => {
  it('ends at the first success', async () => {
    const { clock, options } = run();
    const result = await runWithRetries(options, (tryNumber) =>
      tryNumber < 3
        ? Promise.reject(failure('server', 'x', { retry: 'backoff' }))
        : Promise.resolve(tryNumber),
    );
    expect(result).toBe(3);
    expect(clock.sleeps).toEqual([50, 100]);
  });

  it('ends at once when aborted while waiting', async () => {
    const abort = new AbortController();
    const { options } = run(abort.signal);
    let tries = 0;
    const error = await errorOf(
      runWithRetries(options, () => {
        tries += 1;
        abort.abort();
        return Promise.reject(failure('server', 'x', { retry: 'backoff' }));
      }),
    );
    expect(error.code).toBe('cancelled');
    expect(tries).toBe(1);
  });

  it('keeps the unknown outcome of an earlier attempt, whatever the last error says', async () => {
    const { options } = run();
    const error = await errorOf(
      runWithRetries(options, (tryNumber) =>
        Promise.reject(
          tryNumber === 1
            ? failure('network', 'lost', { retry: 'backoff', outcome: 'unknown' })
            : failure('conflict', 'exists'),
        ),
      ),
    );
    expect(error).toMatchObject({ code: 'conflict', outcome: 'unknown' });
  });
});
