import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { QuotingFailure, quotingFailure, quoteWithout } from '../../../../../electron/core/s3/model/quote.ts';
import { cleanFailure } from '../../../../../electron/core/s3/http/request-report.ts';
import { parseXml } from '../../../../../electron/core/s3/xml/parse.ts';
import { AppFailure } from '../../../../../shared/errors.ts';

const secret = 'Sk0123456789abcdefghijklmnopqrstuvwxyzABCD';

function failureOf(body: string): AppFailure {
  try {
    parseXml(Buffer.from(body));
  } catch (thrown) {
    if (thrown instanceof AppFailure) return thrown;
  }
  throw new Error('It was read.');
}

test('a quote cut anywhere inside a secret contains no two of its characters', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 260 }), (before) => {
      const quoted = quoteWithout([secret])(`${'-'.repeat(before)}${secret}${'-'.repeat(99)}`);
      expect(quoted).not.toContain('Sk');
      expect(quoted.length).toBeLessThanOrEqual(201);
    }),
  );
});

test.each([
  ['a web page', '<html>'],
  ['text that is not XML', 'Proxy: '],
])("the parser's error about %s is quoted without the secret cut at its end", (_name, start) => {
  const text = `${start}${'-'.repeat(195 - start.length)}${secret}${'-'.repeat(99)}`;
  const { error } = cleanFailure(failureOf(text), [secret]);
  expect(error.message).toContain('-----');
  expect(error.message).not.toContain('Sk');
});

test('redacting a quoting failure keeps its code, reason and cause', () => {
  const cause = new Error('cause');
  const thrown = quotingFailure('protocol', (quote) => `It begins: ${quote(secret)}`, {
    reason: 'html',
    cause,
  });
  expect(thrown).toBeInstanceOf(QuotingFailure);
  const clean = cleanFailure(thrown, [secret]);
  expect(clean.error).toMatchObject({ code: 'protocol', reason: 'html', message: 'It begins: [redacted]' });
  expect(clean.cause).toBe(cause);
});
