import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareUtf8,
  decodeListed,
  decodeMetadataValue,
  encodeComponent,
  encodeKey,
  encodeMetadataValue,
  encodeQuery,
} from '../../../../../electron/core/s3/model/encode.ts';
import { errorOf } from '../../../../support/servers/s3-client.ts';

const text = fc.string({ unit: 'binary' });

describe('encoding a key in a path', () => {
  it('encodes each segment once by the rules of SigV4', () => {
    expect(encodeKey("? # % + ' ( ) * ! é")).toBe(
      '%3F%20%23%20%25%20%2B%20%27%20%28%20%29%20%2A%20%21%20%C3%A9',
    );
    expect(encodeKey('A-Z_a-z.0-9~')).toBe('A-Z_a-z.0-9~');
    expect(encodeKey('%2F')).toBe('%252F');
  });

  it('keeps ., .., // and a leading / unchanged', () => {
    for (const key of ['.', '..', 'a/../b', 'a//b', '/a', '/', 'a/']) expect(encodeKey(key)).toBe(key);
  });

  it('is reversed by plain percent-decoding', () => {
    fc.assert(
      fc.property(text, (key) => {
        expect(decodeURIComponent(encodeKey(key))).toBe(key);
      }),
    );
  });

  it('yields only characters that are safe in a request line', () => {
    fc.assert(
      fc.property(text, (key) => {
        expect(encodeKey(key)).toMatch(/^[A-Za-z0-9\-._~%/]*$/);
      }),
    );
  });

  it('rejects a lone surrogate, which UTF-8 cannot encode', async () => {
    const error = await errorOf(() => encodeKey('a\ud800'));
    expect(error).toMatchObject({ code: 'invalid-argument', reason: 'not-unicode' });
  });
});

describe('an encoded query', () => {
  it('is sorted by encoded name and always has equals signs', () => {
    expect(encodeQuery({ uploads: '', prefix: 'a b+c', 'max-keys': '2', 'list-type': '2' })).toBe(
      'list-type=2&max-keys=2&prefix=a%20b%2Bc&uploads=',
    );
  });
});

describe('a listed value with encoding-type=url', () => {
  it('has + decoded as a space and %2B as a plus', () => {
    expect(decodeListed('a+b%2Bc%20d')).toBe('a b+c d');
  });

  it('is decoded as written by either kind of server', () => {
    fc.assert(
      fc.property(text, (key) => {
        expect(decodeListed(encodeComponent(key))).toBe(key);
        expect(decodeListed(encodeComponent(key).replaceAll('%20', '+'))).toBe(key);
        expect(decodeListed(encodeKey(key))).toBe(key);
      }),
    );
  });

  it('is rejected if it is not validly encoded', () => {
    for (const bad of ['100%', '%zz', '%ff', '%C3']) expect(() => decodeListed(bad)).toThrow(RangeError);
  });
});

describe('key order', () => {
  it('is by UTF-8 bytes, even if UTF-16 units sort otherwise', () => {
    expect(compareUtf8('\u{10000}', '\uffff')).toBeGreaterThan(0);
    expect(['\u{10000}', '\uffff', 'a'].toSorted()).toEqual(['a', '\u{10000}', '\uffff']);
    expect(['\u{10000}', '\uffff', 'a'].toSorted(compareUtf8)).toEqual(['a', '\uffff', '\u{10000}']);
  });
});

describe('metadata in headers', () => {
  it('round-trips as printable ASCII', () => {
    fc.assert(
      fc.property(text, (value) => {
        const sent = encodeMetadataValue(value);
        expect(sent).toMatch(/^[\x20-\x7e]*$/);
        fc.pre(!/=\?utf-8\?/i.test(value));
        expect(decodeMetadataValue(sent)).toBe(value);
      }),
    );
  });

  it('is decoded from quoted encoded words', () => {
    expect(decodeMetadataValue('=?UTF-8?Q?caf=C3=A9_au_lait?=')).toBe('café au lait');
  });
});
