import { array, assert, boolean, constantFrom, oneof, property, string, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EditorState } from '@codemirror/state';
import { encodeText, editableText } from '../../../../renderer/features/viewers/text/editable-text.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('an edited text', () => {
  test.each([
    ['a\nb', '\n'],
    ['a\r\nb\r\n', '\r\n'],
    ['a\rb', '\r'],
    ['a\r\nb\nc', '\n'],
    ['a\rb\n', '\n'],
    ['a\r\n\rb', '\n'],
    ['', '\n'],
  ])('%j keeps its line ends: %j', (text, lineEnd) => {
    expect(editableText(bytesOf(text))?.lineEnd).toBe(lineEnd);
  });

  test('is saved byte for byte as it was opened, with any line ends', () => {
    const piece = oneof(
      string({ unit: 'grapheme' }),
      constantFrom('\r', '\n', '\r\n', '\ufeff', '\u2028', '\0'),
    );
    assert(
      property(array(piece), constantFrom('utf8', 'utf16le'), boolean(), (pieces, coding, isMarked) => {
        const text = pieces.join('');
        // UTF-16 is only recognised by its byte order mark.
        const mark = isMarked || coding === 'utf16le' ? '\ufeff' : '';
        const bytes = Uint8Array.from(Buffer.from(mark + text, coding as BufferEncoding));
        const opened = editableText(bytes);
        expect(opened).not.toBeNull();
        if (opened === null) return;
        const state = EditorState.create({
          doc: opened.text,
          extensions: [EditorState.lineSeparator.of(opened.lineEnd)],
        });
        expect(
          Buffer.from(encodeText(state.sliceDoc(), opened.encoding) ?? []).equals(Buffer.from(bytes)),
        ).toBe(true);
      }),
    );
  });

  test.each([' \0\r', '\0\r\r'])('of an odd number of bytes is no UTF-16: %j', (text) => {
    expect(editableText(Buffer.from(text))).toMatchObject({ text, encoding: { encoding: 'utf-8' } });
  });

  test.each([
    ['windows-1252', Buffer.from('déjà vu, voilà', 'latin1')],
    ['windows-1251', Buffer.from('cff0e8e2e5f22c20eceef0e52e20c2eee4e020f5eeebeee4ede0ff2e', 'hex')],
    [
      'shift_jis',
      Buffer.from('93fa967b8cea82cc8365834c8358836782c582b781428d6482ad82a082e882dc82b982f18142', 'hex'),
    ],
  ] as const)(
    'in %s is saved in that encoding, and refused if a new letter does not fit it',
    (encoding, bytes) => {
      const opened = editableText(Uint8Array.from(bytes));
      expect(opened?.encoding.encoding).toBe(encoding);
      if (opened === null) return;
      const changed = encodeText(`${opened.text}!`, opened.encoding);
      expect(Buffer.from(changed ?? [])).toEqual(Buffer.concat([bytes, Buffer.from('!')]));
      expect(encodeText(`${opened.text}🛶`, opened.encoding)).toBeNull();
    },
  );

  test('is not offered if its bytes would not round-trip or are not text', () => {
    const invalid = [
      [0xff, 0x00, 0x01],
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
      [0xff, 0xfe, 0x41],
      [0xff, 0xfe, 0x00, 0xd8],
    ];
    for (const bytes of invalid) expect(editableText(Uint8Array.from(bytes))).toBeNull();
    assert(
      property(uint8Array(), (bytes) => {
        const opened = editableText(bytes);
        const back = opened === null ? bytes : encodeText(opened.text, opened.encoding);
        expect([...(back ?? [])]).toEqual([...bytes]);
      }),
    );
  });
});
