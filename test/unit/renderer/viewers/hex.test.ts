import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { memorySource } from '../../../../renderer/features/viewers/frame/range-source.ts';
import {
  findBytes,
  asciiText,
  offsetText,
  parseHexBytes,
  parseOffset,
} from '../../../../renderer/features/viewers/hex/hex-bytes.ts';

const { signal } = new AbortController();

/** Streams these bytes in parts of a few, as a connection may. */
function inParts(bytes: Uint8Array<ArrayBuffer>, partBytes: number) {
  let reads = 0;
  const source = {
    ...memorySource(bytes),
    stream: async (offset: number) => {
      let at = offset;
      return await Promise.resolve(
        new ReadableStream<Uint8Array<ArrayBuffer>>(
          {
            pull: (controller) => {
              reads += 1;
              if (at >= bytes.length) controller.close();
              else controller.enqueue(bytes.slice(at, at + partBytes));
              at += partBytes;
            },
          },
          { highWaterMark: 0 },
        ),
      );
    },
  };
  return { source, reads: () => reads };
}

test('bytes are found at any position, also across chunks of a stream', async () => {
  const few = fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(
      few,
      fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 6 }),
      fc.nat(59),
      fc.integer({ min: 1, max: 9 }),
      async (content, wanted, from, partBytes) => {
        const bytes = Uint8Array.from(content);
        const fromByte = Math.min(from, bytes.length);
        const { source } = inParts(bytes, partBytes);
        const found = await findBytes(source, {
          pattern: Uint8Array.from(wanted),
          foldsCase: false,
          fromByte,
          signal,
          onProgress: () => undefined,
        });
        const expected = Buffer.from(bytes).indexOf(Buffer.from(wanted), fromByte);
        const isThere = expected >= 0 && fromByte < bytes.length;
        expect(found).toBe(isThere ? expected : null);
      },
    ),
  );
});

test('a text search in bytes ignores case if requested and stops at the match', async () => {
  const bytes = new Uint8Array(Buffer.from(`${'.'.repeat(100)}PAR1${'.'.repeat(10_000)}`));
  const { source, reads } = inParts(bytes, 50);
  const options = { fromByte: 0, signal, onProgress: () => undefined };
  const wanted = new Uint8Array(Buffer.from('par1'));
  expect(await findBytes(source, { ...options, pattern: wanted, foldsCase: true })).toBe(100);
  expect(reads()).toBeLessThan(6);
  expect(await findBytes(source, { ...options, pattern: wanted, foldsCase: false })).toBeNull();
});

test('an aborted search in bytes rejects and reads nothing more', async () => {
  const aborter = new AbortController();
  const { source, reads } = inParts(new Uint8Array(10_000), 50);
  const search = findBytes(source, {
    pattern: Uint8Array.of(1),
    foldsCase: false,
    fromByte: 0,
    signal: aborter.signal,
    onProgress: (readBytes) => {
      if (readBytes >= 500) aborter.abort();
    },
  });
  await expect(search).rejects.toThrow('aborted');
  expect(reads()).toBeLessThan(15);
});

test.each([
  ['4096', 4096],
  ['4,096', 4096],
  ['0x1000', 4096],
  ['0X10_00', 4096],
  ['1000h', 4096],
  ['', null],
  ['abc', null],
  ['-1', null],
  ['0xzz', null],
  ['99999999999999999999', null],
])('%j is parsed as the offset %j', (text, offset) => {
  expect(parseOffset(text)).toBe(offset);
});

test.each([
  ['de ad be ef', [0xde, 0xad, 0xbe, 0xef]],
  ['0xDEAD', [0xde, 0xad]],
  ['DE:AD', [0xde, 0xad]],
  ['', null],
  ['abc', null],
  ['zz', null],
])('%j is parsed as the bytes %j', (text, bytes) => {
  const parsed = parseHexBytes(text);
  expect(parsed === null ? null : [...parsed]).toEqual(bytes);
});

test('offsets of one file have equal length, and only printable ASCII is shown as letters', () => {
  expect(offsetText(255, 1000)).toBe('000000ff');
  expect(offsetText(255, 2 ** 40)).toBe('00000000ff');
  expect([0x1f, 0x20, 0x41, 0x7e, 0x7f, 0xff].map(asciiText).join('')).toBe('· A~··');
});
