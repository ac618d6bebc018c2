import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { memorySource, type RangeSource } from '../../../../renderer/features/viewers/frame/range-source.ts';
import { detectEncoding } from '../../../../renderer/features/viewers/encoding/detect-encoding.ts';
import { lineCutter } from '../../../../renderer/features/viewers/tree/json-lines.ts';
import {
  textStream,
  recordFeed,
  type RecordFeed,
} from '../../../../renderer/features/viewers/records/record-feed.ts';

const { signal } = new AbortController();

function sourceOf(text: string): RangeSource {
  return memorySource(new TextEncoder().encode(text));
}

async function readAll<R>(feed: RecordFeed<R>): Promise<void> {
  while (feed.state === 'open') await feed.more(signal);
}

test('lines are split for any chunk boundaries without cutting characters', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom('a', 'ж', '🛶', '\n', '\r\n') }),
      fc.integer({ min: 1, max: 9 }),
      async (text, blockBytes) => {
        const stream = textStream(sourceOf(text), { blockBytes });
        const cutter = lineCutter();
        const lines: string[] = [];
        for (let block = await stream.next(signal); block !== null; block = await stream.next(signal))
          lines.push(...cutter.push(block).map((line) => line.text));
        lines.push(...cutter.end().map((line) => line.text));
        expect(lines).toEqual(text.split(/\r?\n/).filter((line) => line !== ''));
      },
    ),
  );
});

test('an overlong line is truncated and marked', () => {
  const cutter = lineCutter(10);
  expect(cutter.push('0123456789abc\nshort\n')).toEqual([
    { text: '0123456789', isCut: true },
    { text: 'short', isCut: false },
  ]);
});

test('a file is read chunk by chunk up to the limits', async () => {
  const text = Array.from({ length: 200_000 }, (_, at) => `line ${String(at)}`).join('\n');
  const feed = recordFeed(sourceOf(text), () => lineCutter());
  await feed.more(signal);
  expect(feed.readBytes).toBe(256 * 1024);
  expect(feed.state).toBe('open');
  await readAll(feed);
  expect(feed.state).toBe('whole');
  expect(feed.records).toHaveLength(200_000);
  const few = recordFeed(sourceOf(text), () => lineCutter(), { textBytes: 1e9, records: 1000 });
  await readAll(few);
  expect(few.records).toHaveLength(1000);
  expect(few.state).toBe('cut');
  const short = recordFeed(sourceOf(text), () => lineCutter(), { textBytes: 300_000, records: 1e9 });
  await readAll(short);
  expect(short.readBytes).toBe(512 * 1024);
  expect(short.state).toBe('cut');
});

test('a chunk that failed is read again without losing lines', async () => {
  const text = Array.from({ length: 60_000 }, (_, at) => `line ${String(at)}`).join('\n');
  const whole = sourceOf(text);
  let failures = 0;
  const source: RangeSource = {
    ...whole,
    read: async (offset, length, using) => {
      if (offset > 0 && failures === 0) {
        failures += 1;
        throw new Error('broken off');
      }
      return await whole.read(offset, length, using);
    },
  };
  const feed = recordFeed(source, () => lineCutter());
  await feed.more(signal);
  await expect(feed.more(signal)).rejects.toThrow('broken off');
  await readAll(feed);
  expect(feed.records.map((line) => line.text).join('\n')).toBe(text);
});

test.each([
  ['utf-8', Buffer.from('Ёлка, déjà vu')],
  ['windows-1251', Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x2c, 0x20, 0xec, 0xe8, 0xf0])],
  ['windows-1252', Buffer.from('déjà vu, voilà', 'latin1')],
  ['utf-16le', Buffer.from('\ufeffabc', 'utf16le')],
] as const)('text in %s is detected', (encoding, bytes) => {
  expect(detectEncoding(bytes).encoding).toBe(encoding);
});
