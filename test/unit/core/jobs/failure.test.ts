import { retryPolicies } from '../../../../electron/core/flow/retry-policies.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorCodes } from '../../../../shared/error-schema.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { afterFailure, mayRepeat, maxRepeats, repeatLater } from '../../../../electron/core/jobs/failure.ts';

const error = (change: Partial<AppError>): AppError => ({
  code: 'server',
  message: '',
  retry: 'backoff',
  outcome: 'not-applied',
  ...change,
});

describe('how often work is tried again', () => {
  test.each([
    ['a lost network: for as long as it lasts', error({ code: 'network' }), Number.POSITIVE_INFINITY],
    ['a certificate that is not trusted: never', error({ code: 'network', retry: 'after-fix' }), 0],
    ['a service that is in trouble: some times', error({ code: 'server' }), retryPolicies.job.maxFailures],
    [
      'a sign-in page in place of an answer: a few times',
      error({ code: 'protocol', retry: 'after-fix', reason: 'html' }),
      retryPolicies.job.maxOddFailures,
    ],
    [
      'a clock that is wrong: a few times',
      error({ code: 'clock-skew', retry: 'after-fix' }),
      retryPolicies.job.maxOddFailures,
    ],
    [
      'a listing that goes in circles: never',
      error({ code: 'protocol', retry: 'after-fix', reason: 'listing-stuck' }),
      0,
    ],
    [
      'a redirect to another host: never',
      error({ code: 'protocol', retry: 'after-fix', reason: 'redirect-refused' }),
      0,
    ],
    ['a refusal: never', error({ code: 'invalid-argument', retry: 'never' }), 0],
  ])('%s', (_what, failed, most) => {
    expect(maxRepeats(failed)).toBe(most);
    expect(mayRepeat(failed, 0)).toBe(most > 0);
    expect(mayRepeat(failed, 1000)).toBe(most === Number.POSITIVE_INFINITY);
  });

  test('what only a person can mend is never tried again more than a few times, whatever the error', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...errorCodes),
        fc.constantFrom('never', 'after-fix'),
        fc.constantFrom(undefined, 'html', 'listing-stuck', 'dns', 'not-xml', 'other'),
        (code, retry, reason) => {
          const failed = error({ code, retry, ...(reason === undefined ? {} : { reason }) });
          expect(maxRepeats(failed)).toBeLessThanOrEqual(retryPolicies.job.maxOddFailures);
        },
      ),
    );
  });
});

test('a job ends its repeats with a question, and keeps the error', () => {
  fc.assert(
    fc.property(fc.constantFrom(...errorCodes), fc.integer({ min: 0, max: 40 }), (code, failures) => {
      const failed = error({ code });
      const next = afterFailure(failed, failures);
      if (next.kind !== 'repeat') return;
      const again = repeatLater({ failures, state: 'preparing' }, failed, { nowMs: 1000, fraction: 1 });
      expect(again).toMatchObject({ state: 'retry-scheduled', failures: failures + 1, error: failed });
      expect(again.dueMs).toBeGreaterThan(1000);
    }),
  );
  expect(afterFailure(error({}), retryPolicies.job.maxFailures)).toEqual({
    kind: 'attention',
    reason: 'refused',
  });
});

test.each([
  [error({ code: 'auth-expired' }), 'needs-new-keys'],
  [error({ code: 'storage', reason: 'disk-full' }), 'disk-full'],
  [error({ code: 'not-found', reason: 'connection-missing' }), 'connection-missing'],
] as const)('a job pauses until what it needs is there: $code', (failed, reason) => {
  expect(afterFailure(failed, 0)).toEqual({ kind: 'pause', reason });
});
