import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAddress, parseAddress } from '../../../../shared/keys/address.ts';

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
