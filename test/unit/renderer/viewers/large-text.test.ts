import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RangeSource } from '../../../../renderer/features/viewers/frame/range-source.ts';
import { findInFile, openText } from '../../../../renderer/features/viewers/text/pieces.ts';

/** Returns a file in memory, whose stream has chunks of `chunkBytes`. */
function sourceOf(bytes: Uint8Array, chunkBytes = 1000): RangeSource {
  return {
    sizeBytes: bytes.length,
    read: (offset: number, length: number) => Promise.resolve(bytes.slice(offset, offset + length)),
    stream: (offset) =>
      Promise.resolve(
        new ReadableStream({
          start(controller) {
            for (let at = offset; at < bytes.length; at += chunkBytes)
              controller.enqueue(bytes.slice(at, at + chunkBytes));
            controller.close();
          },
        }),
      ),
  };
}

const encodings = {
  'utf-8': (text: string) => new TextEncoder().encode(text),
  'utf-16le': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
} as const;
const texts = fc
  .array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 40 })
  .map((lines) => lines.map((line) => line.toWellFormed().replaceAll('\uFEFF', '')).join('\n'));
const pieceBytes = 16;

describe.each(Object.entries(encodings))('a large text in %s', (_name, encode) => {
  test('reads the same in pieces from start to end', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const file = await openText(sourceOf(encode(text)), { pieceBytes });
        let read = '';
        for (let at = file.startByte; at < file.sizeBytes;) {
          const piece = await file.after(at);
          expect(piece.endByte).toBeGreaterThan(at);
          read += piece.text;
          at = piece.endByte;
        }
        expect(read).toBe(text);
      }),
    );
  });

  test('reads the same in pieces from end to start', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const file = await openText(sourceOf(encode(text)), { pieceBytes });
        let read = '';
        for (let at = file.sizeBytes; at > file.startByte;) {
          const piece = await file.before(at);
          expect(piece.startByte).toBeLessThan(at);
          read = piece.text + read;
          at = piece.startByte;
        }
        expect(read).toBe(text);
      }),
    );
  });

  test('opens at any byte with whole characters', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(2000), async (text, byte) => {
        const file = await openText(sourceOf(encode(text)), { pieceBytes });
        const piece = await file.around(byte);
        expect(piece.startByte).toBeLessThanOrEqual(Math.max(byte, file.startByte));
        expect(text).toContain(piece.text);
      }),
    );
  });
});

const find = async (text: string, wanted: string, fromByte = 0): Promise<number | null> =>
  await findInFile(sourceOf(new TextEncoder().encode(text), 7), {
    text: wanted,
    encoding: 'utf-8',
    fromByte,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });

describe('a search through a large text', () => {
  test('finds any text at or before its match', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(100), fc.integer({ min: 1, max: 9 }), async (text, from, length) => {
        const wanted = Array.from(text)
          .slice(from, from + length)
          .join('');
        fc.pre(wanted !== '');
        const place = await find(text, wanted);
        expect(place).not.toBeNull();
        const first = text.toLowerCase().indexOf(wanted.toLowerCase());
        expect(place ?? Infinity).toBeLessThanOrEqual(new TextEncoder().encode(text.slice(0, first)).length);
      }),
    );
  });

  test('finds a match across many small chunks, and no false match', async () => {
    const text = `${'a'.repeat(50)}NEEDLE in the hay${'b'.repeat(50)}`;
    expect(await find(text, 'needle in the hay')).toBeLessThanOrEqual(50);
    expect(await find(text, 'needle in the hay', 60)).toBeNull();
    expect(await find(text, 'pin')).toBeNull();
  });
});
