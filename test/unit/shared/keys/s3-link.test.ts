import * as fc from 'fast-check';
import { assert, property, string } from 'fast-check';
import { describe, expect, test, it } from 'vitest';
import { isS3Link, parseS3Link, formatAddress, parseAddress } from '../../../../shared/keys/s3-link.ts';

describe('a typed address', () => {
  it('is parsed into bucket and prefix, with and without s3://', () => {
    expect(parseAddress('photos')).toEqual({ bucket: 'photos', prefix: '' });
    expect(parseAddress('photos/')).toEqual({ bucket: 'photos', prefix: '' });
    expect(parseAddress('photos/2024/')).toEqual({ bucket: 'photos', prefix: '2024/' });
    expect(parseAddress('s3://photos/2024/a')).toEqual({ bucket: 'photos', prefix: '2024/a' });
    expect(parseAddress('S3://photos')).toEqual({ bucket: 'photos', prefix: '' });
    expect(parseAddress('/photos/2024/')).toEqual({ bucket: 'photos', prefix: '2024/' });
  });

  it('keeps empty segments and leading slashes of the prefix', () => {
    expect(parseAddress('b//x/')).toEqual({ bucket: 'b', prefix: '/x/' });
    expect(parseAddress('s3://b///')).toEqual({ bucket: 'b', prefix: '//' });
  });

  it('is trimmed at both ends but keeps white space within the prefix', () => {
    expect(parseAddress('  s3://b/x y /\n')).toEqual({ bucket: 'b', prefix: 'x y /' });
    expect(parseAddress('b/ends in space ')).toEqual({ bucket: 'b', prefix: 'ends in space ' });
  });

  it('without a bucket is refused', () => {
    for (const text of [
      '',
      ' ',
      '/',
      '//',
      's3://',
      's3:///x',
      'two words/x',
      '\n',
      'https://h/b',
      'HTTP://b.h',
    ])
      expect(parseAddress(text)).toBeNull();
  });

  it('round-trips for every bucket and prefix', () => {
    const bucket = fc.stringMatching(/^[a-z0-9][a-z0-9.-]{1,20}[a-z0-9]$/);
    const prefix = fc
      .string({ unit: fc.constantFrom('a', '/', ' ', '%', '.', 'é', '🪣', ':', '?', '#'), maxLength: 20 })
      .map((text) => text.replaceAll(/[\r\n]/gu, ''));
    fc.assert(
      fc.property(bucket, prefix, (bucket, prefix) => {
        expect(parseAddress(formatAddress({ bucket, prefix }))).toEqual({ bucket, prefix });
        expect(parseAddress(`s3://${formatAddress({ bucket, prefix })}`)).toEqual({ bucket, prefix });
      }),
    );
  });
});

describe('an s3:// link from another program', () => {
  test.each([
    ['s3://photos', { bucket: 'photos', prefix: '', decodedPrefix: null }],
    ['S3://photos/', { bucket: 'photos', prefix: '', decodedPrefix: null }],
    ['s3://photos/2024/a b/', { bucket: 'photos', prefix: '2024/a b/', decodedPrefix: null }],
    ['s3://photos/a%20b/', { bucket: 'photos', prefix: 'a%20b/', decodedPrefix: 'a b/' }],
    ['s3://photos/100%', { bucket: 'photos', prefix: '100%', decodedPrefix: null }],
    ['s3://photos//x?y=1#z', { bucket: 'photos', prefix: '/x?y=1#z', decodedPrefix: null }],
    ['s3://my_bucket.v1/..', { bucket: 'my_bucket.v1', prefix: '..', decodedPrefix: null }],
  ])('is parsed: %s', (text, link) => {
    expect(parseS3Link(text)).toEqual(link);
  });

  test.each([
    '',
    's3:',
    's3:/photos',
    's3:///x',
    's3://user@photos/x',
    's3://photos:9000/x',
    's3://a',
    's3://-photos/x',
    's3://pho tos/x',
    's3://pho..tos/x',
    's3://photos/a\nb',
    's3://photos/a\u0000',
    's3://photos/\ud800',
    ' s3://photos/',
    'https://photos/x',
    'file:///etc/passwd',
    `s3://photos/${'x'.repeat(1025)}`,
    `s3://photos/${'%41'.repeat(2000)}`,
  ])('is rejected if malformed: %j', (text) => {
    expect(parseS3Link(text)).toBeNull();
  });

  test('keeps a percent escape that would decode to a control character', () => {
    expect(parseS3Link('s3://photos/a%0ab')).toEqual({
      bucket: 'photos',
      prefix: 'a%0ab',
      decodedPrefix: null,
    });
  });

  test('passes any key through unchanged, and decoded from its escapes', () => {
    assert(
      property(
        string({ unit: 'grapheme', maxLength: 200 }).filter((key) => !/\p{Cc}/u.test(key)),
        (key) => {
          expect(parseS3Link(`s3://photos/${key}`)?.prefix).toBe(key);
          const escaped = encodeURIComponent(key);
          const link = parseS3Link(`s3://photos/${escaped}`);
          expect(link?.decodedPrefix ?? link?.prefix).toBe(key);
        },
      ),
    );
  });

  test('never makes the parser throw', () => {
    assert(
      property(string({ unit: 'binary' }), (text) => {
        parseS3Link(text);
        parseS3Link(`s3://${text}`);
      }),
    );
  });

  test('is distinguished from other text', () => {
    expect(['s3://x', 'S3:', 's3:x'].map(isS3Link)).toEqual([true, true, true]);
    expect(['photos', '--port', 'xs3://'].map(isS3Link)).toEqual([false, false, false]);
  });
});
