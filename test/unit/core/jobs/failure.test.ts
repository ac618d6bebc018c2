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

describe('the maximum number of retries after', () => {
  test.each([
    ['a lost network is unlimited', error({ code: 'network' }), Number.POSITIVE_INFINITY],
    ['an untrusted certificate is zero', error({ code: 'network', retry: 'after-fix' }), 0],
    ['a server error is the usual limit', error({ code: 'server' }), retryPolicies.job.maxFailures],
    [
      'a sign-in page in place of a response is a few',
      error({ code: 'protocol', retry: 'after-fix', reason: 'html' }),
      retryPolicies.job.maxOddFailures,
    ],
    [
      'a wrong clock is a few',
      error({ code: 'clock-skew', retry: 'after-fix' }),
      retryPolicies.job.maxOddFailures,
    ],
    [
      'a listing that goes in circles is zero',
      error({ code: 'protocol', retry: 'after-fix', reason: 'listing-stuck' }),
      0,
    ],
    [
      'a redirect to another host is zero',
      error({ code: 'protocol', retry: 'after-fix', reason: 'redirect-refused' }),
      0,
    ],
    ['a refusal is zero', error({ code: 'invalid-argument', retry: 'never' }), 0],
  ])('%s', (_what, failed, maxTries) => {
    expect(maxRepeats(failed)).toBe(maxTries);
    expect(mayRepeat(failed, 0)).toBe(maxTries > 0);
    expect(mayRepeat(failed, 1000)).toBe(maxTries === Number.POSITIVE_INFINITY);
  });

  test('an error that only the user can fix is small, whatever its code', () => {
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

test('a job needs attention after its last retry and keeps the error', () => {
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
] as const)('a job pauses until its missing precondition is met: $code', (failed, reason) => {
  expect(afterFailure(failed, 0)).toEqual({ kind: 'pause', reason });
});
