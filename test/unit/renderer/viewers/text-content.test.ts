import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectEncoding } from '../../../../renderer/features/viewers/encoding/detect-encoding.ts';
import { decodeText as decode } from '../../../../renderer/features/viewers/encoding/text-encoding.ts';
import { formattedJson } from '../../../../renderer/features/viewers/tree/json-tree.ts';

const decodeText = (content: Uint8Array): string => decode(content, detectEncoding(content));
const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

describe('the text of an object', () => {
  it('is decoded as UTF-8 if valid, unless it has a byte order mark', () => {
    expect(decodeText(new TextEncoder().encode('héllo'))).toBe('héllo');
    expect(decodeText(bytes(0xff, 0xfe, 0x68, 0x00))).toBe('h');
    expect(decodeText(bytes(0xfe, 0xff, 0x00, 0x68))).toBe('h');
    expect(decodeText(bytes(0x61, 0xff))).toBe('aÿ');
    expect(decodeText(bytes())).toBe('');
  });

  it('is formatted if it is valid JSON, and not otherwise', () => {
    expect(formattedJson('{"a":[1,2]}')).toBe('{\n  "a": [\n    1,\n    2\n  ]\n}');
    expect(formattedJson('{"a":')).toBeNull();
    expect(formattedJson('not json')).toBeNull();
  });

  it('keeps every JSON number, string and repeated name as written', () => {
    for (const value of [
      '10.0',
      '1e5',
      '-0',
      '12345678901234567890',
      '"a\\/b"',
      '"\\u0041"',
      '" { [ , : \\" "',
    ])
      expect(formattedJson(`{"v":${value}}`)).toBe(`{\n  "v": ${value}\n}`);
    expect(formattedJson('{"a":1,"a":2}')).toBe('{\n  "a": 1,\n  "a": 2\n}');
    expect(formattedJson('10.0')).toBe('10.0');
    expect(formattedJson('[[],{}]')).toBe('[\n  [],\n  {}\n]');
  });

  it('is indented as by JSON.stringify, changing only white space', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(formattedJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
        expect(formattedJson(JSON.stringify(value, null, 1))).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  it('of deeply nested JSON grows linearly when formatted', () => {
    const deep = 4000;
    const formatted = formattedJson(`${'['.repeat(deep)}${']'.repeat(deep)}`);
    expect(formatted?.length).toBeLessThan(deep * 2 * 125);
  });
});
