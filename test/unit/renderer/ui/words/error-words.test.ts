import { describe, expect, it } from 'vitest';
import { errorFacts, errorWords } from '../../../../../renderer/ui/words/error-words.ts';
import { errorCodes, failure } from '../../../../../shared/errors.ts';
import errors from '../../../../../shared/messages/en/errors.json' with { type: 'json' };

describe('the words of an error', () => {
  it('has a sentence and an advice for every code', () => {
    for (const code of errorCodes) {
      expect(errors.codes[code].title).not.toBe('');
      expect(errors.codes[code].body).not.toBe('');
      expect(errorWords(failure(code, 'x').error)).toBe(`errors.codes.${code}`);
    }
  });

  it('prefers the finer reason where the catalogue knows it, and only there', () => {
    expect(errorWords(failure('not-found', 'x', { reason: 'no-such-bucket' }).error)).toBe(
      'errors.reasons.no-such-bucket',
    );
    expect(errorWords(failure('not-found', 'x', { reason: 'toString' }).error)).toBe(
      'errors.codes.not-found',
    );
  });

  it('keeps what the service said one click away, the request id among it', () => {
    const s3 = { status: 403, code: 'AccessDenied', message: 'Access Denied', requestId: 'R1' };
    const facts = errorFacts(failure('access-denied', 'Access Denied', { s3 }).error);
    expect(facts).toContainEqual({ name: 'requestId', value: 'R1' });
    expect(facts).toContainEqual({ name: 'serviceCode', value: 'AccessDenied' });
    expect(facts.filter(({ value }) => value === 'Access Denied')).toHaveLength(1);
  });
});
