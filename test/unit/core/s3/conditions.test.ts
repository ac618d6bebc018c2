import { expect, test } from 'vitest';
import { errorCodes, failure } from '../../../../shared/errors.ts';
import { comparableEtag, mayMeanCondition } from '../../../../electron/core/s3/conditions.ts';

test('a weak ETag is none to compare with (RFC 9110, 13.1.1)', () => {
  expect([comparableEtag('"e"'), comparableEtag('W/"e"'), comparableEtag(null)]).toEqual(['"e"', null, null]);
});

test('only what a service does not know, or finds invalid, may be the condition', () => {
  const codes = errorCodes.filter((code) => mayMeanCondition(failure(code, 'x').error));
  expect(codes.toSorted()).toEqual(['invalid-argument', 'unsupported']);
});
