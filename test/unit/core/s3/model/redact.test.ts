import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { encodeComponent, encodeKey, encodeQuery } from '../../../../../electron/core/s3/model/encode.ts';
import {
  redactHeaders,
  redactPath,
  redactText,
  QuotingFailure,
  quotingFailure,
  quoteWithout,
} from '../../../../../electron/core/s3/model/redact.ts';
import { cleanFailure } from '../../../../../electron/core/s3/http/request-report.ts';
import { parseXml } from '../../../../../electron/core/s3/xml/parse.ts';
import { AppFailure } from '../../../../../shared/errors.ts';

const secret = fc.stringMatching(/^[A-Za-z0-9/+=]{16,60}$/);

describe('redacting paths in the request log', () => {
  const names = [
    'X-Amz-Signature',
    'x-amz-signature',
    'X-Amz-Security-Token',
    'X-Amz-Credential',
    'Signature',
    'AWSAccessKeyId',
    'X-Goog-Signature',
    'X-Amz-Server-Side-Encryption-Customer-Key',
  ];

  it('removes every signature, token and key in any query', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.constantFrom(...names),
        secret,
        fc.string(),
        (key, name, value, prefix) => {
          const path = `/b/${encodeKey(key)}?${encodeQuery({ prefix })}&${encodeComponent(name)}=${encodeComponent(value)}&a=1`;
          const redacted = redactPath(path);
          fc.pre(!encodeKey(key).includes(value) && !prefix.includes(value));
          expect(redacted).not.toContain(encodeComponent(value));
          expect(redacted).toContain(`${name}=[redacted]`);
          expect(redacted.endsWith('&a=1')).toBe(true);
        },
      ),
    );
  });

  it('finds a parameter whose name is percent-encoded', () => {
    expect(redactPath('/b/k?X%2DAmz%2DSignature=abc')).toBe('/b/k?X%2DAmz%2DSignature=[redacted]');
  });

  it('keeps everything else byte for byte', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.string({ unit: 'binary' }),
        (key, prefix) => {
          const path = `/b/${encodeKey(key)}?${encodeQuery({ 'list-type': '2', prefix })}`;
          expect(redactPath(path)).toBe(path);
        },
      ),
    );
  });

  it('keeps continuation tokens, which grant no access', () => {
    expect(redactPath('/b?continuation-token=abc&uploadId=x')).toBe('/b?continuation-token=abc&uploadId=x');
  });
});

describe('redacting headers', () => {
  it('removes secrets and keeps the rest', () => {
    expect(
      redactHeaders({
        Authorization: 'AWS4-HMAC-SHA256 x',
        'x-amz-security-token': 't',
        'x-amz-server-side-encryption-customer-key': 'k',
        'x-amz-server-side-encryption-customer-key-md5': 'm',
        'x-amz-copy-source-server-side-encryption-customer-key': 'k',
        cookie: 'c',
        'content-type': 'text/plain',
        'x-amz-date': '20260101T000000Z',
      }),
    ).toEqual({
      Authorization: '[redacted]',
      'x-amz-security-token': '[redacted]',
      'x-amz-server-side-encryption-customer-key': '[redacted]',
      'x-amz-server-side-encryption-customer-key-md5': '[redacted]',
      'x-amz-copy-source-server-side-encryption-customer-key': '[redacted]',
      cookie: '[redacted]',
      'content-type': 'text/plain',
      'x-amz-date': '20260101T000000Z',
    });
  });
});

describe('redacting messages', () => {
  it('removes a known secret, plain or percent-encoded', () => {
    fc.assert(
      fc.property(secret, secret, fc.string(), (key, token, noise) => {
        const text = `${noise}${key} said ${encodeURIComponent(token)}; ${token}${noise}`;
        const clean = redactText(text, [key, token]);
        expect(clean).not.toContain(key);
        expect(clean).not.toContain(token);
        expect(clean).not.toContain(encodeURIComponent(token));
      }),
    );
  });

  it.each([
    'Authorization: AWS4-HMAC-SHA256 Credential=AKIA/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=c0ffee',
    'bad header AWS4-HMAC-SHA256 Credential=AKIA/2026, SignedHeaders=host;x, Signature=c0ffee was sent',
    'https://h/k?X-Amz-Credential=AKIA%2F&X-Amz-Signature=c0ffee&X-Amz-Security-Token=c0ffee',
    'X-Amz-Security-Token: c0ffee',
    'AWSAccessKeyId=AKIA&Signature=c0ffee',
    'proxy http://user:c0ffee@proxy:3128 refused AKIA'.replace('AKIA', ''),
    'Authorization: Basic c0ffee',
  ])('removes text that looks like a secret: %s', (text) => {
    const clean = redactText(text);
    expect(clean).not.toContain('c0ffee');
    expect(clean).not.toContain('AKIA');
  });
});

it.each([
  'Proxy-Authorization: Basic dXNlcjpwYXNzd29yZA==',
  '{"proxy-authorization":"Basic dXNlcjpwYXNzd29yZA=="}',
  "proxy-authorization='Basic dXNlcjpwYXNzd29yZA=='",
  'You sent Basic dXNlcjpwYXNzd29yZA== to this proxy.',
  'Proxy-Authorization=Bearer dXNlcjpwYXNzd29yZA==',
])("a proxy's echo of its password is redacted: %s", (text) => {
  expect(redactText(text)).not.toContain('dXNlcjpwYXNzd29yZA');
});

it('words that only look like an authorization scheme are kept', () => {
  expect(redactText('The basic plan. Basic setup is done.')).toBe('The basic plan. Basic setup is done.');
});

test('a secret cut off at either end of a text is redacted', () => {
  const secret = fc.stringMatching(/^[ABCDwxyz0189+/]{20,60}$/);
  const around = fc.stringMatching(/^[<p>header: \n]{0,60}$/);
  fc.assert(
    fc.property(secret, around, around, fc.nat(), fc.nat(), (key, before, after, from, to) => {
      const text = before + key + after;
      const start = from % (text.length + 1);
      const cut = text.slice(start, start + (to % (text.length - start + 1)));
      const clean = redactText(cut, [key]);
      // Skips pieces that are cut at both ends, which hold neither the key's beginning nor its end.
      fc.pre(start <= before.length || start + cut.length >= before.length + key.length);
      const pieces = Array.from({ length: key.length - 7 }, (_, at) => key.slice(at, at + 8));
      expect(pieces.filter((piece) => clean.includes(piece))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('a percent-encoded secret is redacted beyond its first encoded character', () => {
  expect(redactText('key kept-secret%2F7f3a9c end', ['kept-secret/7f3a9c'])).toBe('key [redacted] end');
  expect(redactText('key kept-secret%2F7f3', ['kept-secret/7f3a9c'])).toBe('key [redacted]');
});

const quotedSecret = 'Sk0123456789abcdefghijklmnopqrstuvwxyzABCD';

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
      const quoted = quoteWithout([quotedSecret])(`${'-'.repeat(before)}${quotedSecret}${'-'.repeat(99)}`);
      expect(quoted).not.toContain('Sk');
      expect(quoted.length).toBeLessThanOrEqual(201);
    }),
  );
});

test.each([
  ['a web page', '<html>'],
  ['text that is not XML', 'Proxy: '],
])("the parser's error about %s is quoted without the secret cut at its end", (_name, start) => {
  const text = `${start}${'-'.repeat(195 - start.length)}${quotedSecret}${'-'.repeat(99)}`;
  const { error } = cleanFailure(failureOf(text), [quotedSecret]);
  expect(error.message).toContain('-----');
  expect(error.message).not.toContain('Sk');
});

test('redacting a quoting failure keeps its code, reason and cause', () => {
  const cause = new Error('cause');
  const thrown = quotingFailure('protocol', (quote) => `It begins: ${quote(quotedSecret)}`, {
    reason: 'html',
    cause,
  });
  expect(thrown).toBeInstanceOf(QuotingFailure);
  const clean = cleanFailure(thrown, [quotedSecret]);
  expect(clean.error).toMatchObject({ code: 'protocol', reason: 'html', message: 'It begins: [redacted]' });
  expect(clean.cause).toBe(cause);
});
