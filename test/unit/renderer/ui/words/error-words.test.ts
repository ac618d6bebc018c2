import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorFacts, errorWords } from '../../../../../renderer/ui/words/error-words.ts';
import { reasonsByCode } from '../../../../../shared/error-reasons.ts';
import { errorCodes } from '../../../../../shared/error-schema.ts';
import { failure } from '../../../../../shared/errors.ts';
import errors from '../../../../../shared/messages/en/errors.json' with { type: 'json' };

const root = path.join(import.meta.dirname, '../../../../..');

describe('the text of an error', () => {
  it('has a title and advice for every code', () => {
    for (const code of errorCodes) {
      expect(errors.codes[code].title).not.toBe('');
      expect(errors.codes[code].body).not.toBe('');
      expect(errorWords(failure(code, 'x').error)).toBe(`errors.codes.${code}`);
    }
  });

  it("uses the reason's text if the catalogue has one, else the code's", () => {
    expect(errorWords(failure('not-found', 'x', { reason: 'no-such-bucket' }).error)).toBe(
      'errors.reasons.no-such-bucket',
    );
    // Unknown reasons, such as one of an older version, fall back to the code.
    expect(errorWords({ ...failure('not-found', 'x').error, reason: 'toString' })).toBe(
      'errors.codes.not-found',
    );
  });

  it('says for a refused request that it was refused, not that it got no response', () => {
    expect(errorWords(failure('invalid-argument', 'x', { reason: 'refused' }).error)).toBe(
      'errors.codes.invalid-argument',
    );
  });

  it('exists for every reason that its code does not explain', () => {
    expect(reasonsByCode.filter((reason) => Object.hasOwn(errors.reasons, reason))).toEqual([]);
  });

  it('exists for no reason that is never used', () => {
    const sources = globSync('{electron,shared/models,renderer}/**/*.{ts,tsx}', { cwd: root }).map((file) =>
      readFileSync(path.join(root, file), 'utf8'),
    );
    const given = new Set(sources.flatMap((source) => source.match(/(?<=')[a-z0-9-]+(?=')/gu) ?? []));
    expect(Object.keys(errors.reasons).filter((reason) => !given.has(reason))).toEqual([]);
  });

  it("includes the service's own details with the request id", () => {
    const s3 = { status: 403, code: 'AccessDenied', message: 'Access Denied', requestId: 'R1' };
    const facts = errorFacts(failure('access-denied', 'Access Denied', { s3 }).error);
    expect(facts).toContainEqual({ name: 'requestId', value: 'R1' });
    expect(facts).toContainEqual({ name: 'serviceCode', value: 'AccessDenied' });
    expect(facts.filter(({ value }) => value === 'Access Denied')).toHaveLength(1);
  });
});
