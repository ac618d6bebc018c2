import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, formattedJson, textBlocks } from '../../../../renderer/features/objects/text-content.ts';

const bytes = (...values: readonly number[]): ArrayBuffer => Uint8Array.from(values).buffer;

describe('text of an object', () => {
  it('is UTF-8, unless a byte order mark says otherwise', () => {
    expect(decodeText(new TextEncoder().encode('héllo').buffer)).toBe('héllo');
    expect(decodeText(bytes(0xff, 0xfe, 0x68, 0x00))).toBe('h');
    expect(decodeText(bytes(0xfe, 0xff, 0x00, 0x68))).toBe('h');
    expect(decodeText(bytes(0x61, 0xff))).toBe('a\uFFFD');
    expect(decodeText(bytes())).toBe('');
  });

  it('formats JSON that is valid, and nothing else', () => {
    expect(formattedJson('{"a":[1,2]}')).toBe('{\n  "a": [\n    1,\n    2\n  ]\n}');
    expect(formattedJson('{"a":')).toBeNull();
    expect(formattedJson('not json')).toBeNull();
  });

  it('does not format what JavaScript would change', () => {
    expect(formattedJson('{"id":12345678901234567890}')).toBeNull();
    expect(formattedJson('{"a":1,"a":2}')).toBeNull();
    expect(formattedJson('[1.0]')).toBeNull();
  });

  it('loses no line when it is cut into blocks', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z ]{0,8}$/), { maxLength: 900 }), (lines) => {
        const blocks = textBlocks(lines.join('\n'));
        const whole = blocks.map(({ text }) => text).join('\n');
        expect(whole).toBe(lines.join('\n'));
        for (const block of blocks) expect(block.lines).toBeLessThanOrEqual(200);
      }),
    );
  });

  it('cuts a line that is too long for one layout', () => {
    expect(textBlocks('x'.repeat(50_000)).map(({ lines }) => lines)).toEqual([3]);
  });
});
