import { describe, expect, test } from 'vitest';
import { BadFormat, streamFrom } from '../../../../renderer/features/viewers/frame/bytes.ts';
import { encodeText } from '../../../../renderer/features/viewers/text/editable-text.ts';
import { tarReader, type TarReader } from '../../../../renderer/features/viewers/archive/tar.ts';
import { memorySource, type RangeSource } from '../../../../renderer/features/viewers/frame/range-source.ts';
import { padded, paxHeader, tarHeader, tarOctal } from '../../../support/files/tar-files.ts';

const { signal } = new AbortController();
const end = Buffer.alloc(1024);
const after = Buffer.concat([tarHeader('after.txt', { size: 5 }), padded('after')]);

async function listed(...parts: readonly Buffer[]): Promise<TarReader> {
  const reader = tarReader(memorySource(new Uint8Array(Buffer.concat(parts))));
  while (reader.state === 'open') await reader.more(signal, 100);
  return reader;
}

async function contentOf({ entries }: TarReader, name: string): Promise<Buffer> {
  const source = (await entries.find((entry) => entry.name === name)?.open(signal))?.source;
  if (source === undefined) throw new Error(`There is no ${name}.`);
  return Buffer.from(await source.read(0, source.sizeBytes, signal));
}

/** Ten runs of three bytes, 100 bytes apart, in a file of 1,000. */
const runs = Array.from({ length: 10 }, (_, at) => [at * 100, 3] as const);
const stored = Buffer.from(runs.map((_, at) => String(at).repeat(3)).join(''));
const whole = Buffer.alloc(1000);
for (const [at, [offset]] of runs.entries()) whole.write(String(at).repeat(3), offset);

const gnuRuns = (some: readonly (readonly [number, number])[]): string =>
  some.map(([offset, length]) => tarOctal(offset) + tarOctal(length)).join('');

const sparse: Readonly<Record<string, Buffer>> = {
  'GNU format, whose map goes on in a block of its own': Buffer.concat([
    tarHeader('holes.bin', {
      type: 'S',
      size: stored.length,
      at: [
        [386, gnuRuns(runs.slice(0, 4))],
        [482, '\u0001'],
        [483, tarOctal(1000)],
      ],
    }),
    padded(gnuRuns(runs.slice(4))),
    padded(stored),
  ]),
  'pax format 0.0': Buffer.concat([
    paxHeader([
      ['GNU.sparse.size', '1000'],
      ['GNU.sparse.numblocks', '10'],
      ...runs.flatMap(
        ([offset, length]) =>
          [
            ['GNU.sparse.offset', String(offset)],
            ['GNU.sparse.numbytes', String(length)],
          ] as const,
      ),
    ]),
    tarHeader('holes.bin', { size: stored.length }),
    padded(stored),
  ]),
  'pax format 0.1': Buffer.concat([
    paxHeader([
      ['GNU.sparse.size', '1000'],
      ['GNU.sparse.name', 'holes.bin'],
      ['GNU.sparse.map', runs.flat().join(',')],
    ]),
    tarHeader('GNUSparseFile.1/holes.bin', { size: stored.length }),
    padded(stored),
  ]),
  'pax format 1.0': Buffer.concat([
    paxHeader([
      ['GNU.sparse.major', '1'],
      ['GNU.sparse.minor', '0'],
      ['GNU.sparse.name', 'holes.bin'],
      ['GNU.sparse.realsize', '1000'],
    ]),
    tarHeader('GNUSparseFile.1/holes.bin', { size: 512 + stored.length }),
    padded(`10\n${runs.flat().join('\n')}\n`),
    padded(stored),
  ]),
};

/** Returns a source whose reads all fail once before they succeed. */
function failingOnce(bytes: Buffer): RangeSource {
  const source = memorySource(new Uint8Array(bytes));
  const failed = new Set<string>();
  return {
    sizeBytes: source.sizeBytes,
    read: async (offset, length) => {
      const range = `${String(offset)}+${String(length)}`;
      if (failed.has(range)) return await source.read(offset, length);
      failed.add(range);
      throw new Error('The network is down.');
    },
  };
}

async function listedWithRetries(...parts: readonly Buffer[]): Promise<TarReader> {
  const reader = tarReader(failingOnce(Buffer.concat(parts)));
  for (let tries = 0; tries < 2000 && reader.state === 'open'; tries += 1)
    await reader.more(signal, 100).catch((thrown: unknown) => {
      if (thrown instanceof BadFormat) throw thrown;
    });
  return reader;
}

describe('a tar archive', () => {
  test.each(Object.entries(sparse))(
    'with a sparse file in %s shows it with its holes, and the next entry',
    async (_, tar) => {
      const reader = await listed(tar, after, end);
      expect(reader.entries.map(({ name, sizeBytes }) => [name, sizeBytes])).toEqual([
        ['holes.bin', 1000],
        ['after.txt', 5],
      ]);
      expect(await contentOf(reader, 'holes.bin')).toEqual(whole);
      expect((await contentOf(reader, 'after.txt')).toString()).toBe('after');
    },
  );

  test('yields any range of a sparse file, also as a stream', async () => {
    const reader = await listed(sparse['pax format 0.1'] ?? end, end);
    const source = (await reader.entries[0]?.open(signal))?.source ?? memorySource(new Uint8Array());
    expect(Buffer.from(await source.read(399, 5, signal))).toEqual(whole.subarray(399, 404));
    const streamed = await new Response(await streamFrom(source, 250, signal)).arrayBuffer();
    expect(Buffer.from(streamed)).toEqual(whole.subarray(250));
  });

  test.each([
    ['overlap', '0,600,500,100'],
    ['end after the file', '0,600,990,100'],
    ['are not numbers', '0,x'],
  ])('refuses a sparse file whose runs %s and shows the next entry', async (_, map) => {
    const reader = await listed(
      paxHeader([
        ['GNU.sparse.size', '1000'],
        ['GNU.sparse.map', map],
      ]),
      tarHeader('holes.bin', { size: 700 }),
      padded(Buffer.alloc(700)),
      after,
      end,
    );
    await expect(reader.entries[0]?.open(signal)).rejects.toThrow(BadFormat);
    expect((await contentOf(reader, 'after.txt')).toString()).toBe('after');
  });

  test.each([
    ['a folder', tarHeader('folder/', { type: '5', size: 1 })],
    ['a folder of an old program', tarHeader('folder/', { type: '\0', size: 1 })],
    ['a link', tarHeader('link', { type: '1', size: 600 })],
  ])('shows the entry after %s with a size but no content', async (_, header) => {
    const reader = await listed(header, after, end);
    expect(reader.entries).toHaveLength(2);
    expect((await contentOf(reader, 'after.txt')).toString()).toBe('after');
  });

  test('shows the content stored with a hard link', async () => {
    const reader = await listed(tarHeader('link', { type: '1', size: 4 }), padded('link'), after, end);
    expect((await contentOf(reader, 'link')).toString()).toBe('link');
    expect(reader.entries).toHaveLength(2);
  });

  test('shows the entries after a huge pax header, with the names from it', async () => {
    const reader = await listed(
      paxHeader([
        ['SCHILY.xattr.user.large', 'x'.repeat(3_000_000)],
        ['path', 'long/имя.txt'],
      ]),
      tarHeader('short.txt', { size: 1 }),
      padded('a'),
      after,
      end,
    );
    expect(reader.entries.map(({ name }) => name)).toEqual(['long/имя.txt', 'after.txt']);
  });

  test('uses the fields of a header that an empty pax record keeps from being replaced', async () => {
    const { entries } = await listed(
      paxHeader(
        [
          ['path', 'global.txt'],
          ['size', '4'],
          ['mtime', '5'],
        ],
        'g',
      ),
      paxHeader([
        ['path', ''],
        ['size', ''],
        ['mtime', ''],
      ]),
      tarHeader('own.txt', { size: 5, at: [[136, tarOctal(7)]] }),
      padded('hello'),
      tarHeader('ignored', { size: 0 }),
      padded('four'),
      end,
    );
    expect(entries.map(({ name, sizeBytes, modifiedMs }) => [name, sizeBytes, modifiedMs])).toEqual([
      ['own.txt', 5, 7000],
      ['global.txt', 4, 5000],
    ]);
  });

  test('shows all runs of a sparse file in pax format 0.0 with thousands of them', async () => {
    const many = Array.from({ length: 8000 }, (_, at) => at * 10);
    const reader = await listed(
      paxHeader([
        ['GNU.sparse.size', '80000'],
        ['GNU.sparse.numblocks', '8000'],
        ...many.flatMap(
          (offset) =>
            [
              ['GNU.sparse.offset', String(offset)],
              ['GNU.sparse.numbytes', '1'],
            ] as const,
        ),
      ]),
      tarHeader('holes.bin', { size: many.length }),
      padded('x'.repeat(many.length)),
      end,
    );
    expect(await contentOf(reader, 'holes.bin')).toEqual(Buffer.from('x\0\0\0\0\0\0\0\0\0'.repeat(8000)));
  });

  test.each([
    ['0.0', [['GNU.sparse.offset', '0'] as const, ['GNU.sparse.numbytes', '1'] as const]],
    ['0.1', [['GNU.sparse.map', '0,1'] as const]],
  ])('refuses a sparse file in pax format %s whose map is not complete', async (_, map) => {
    const reader = await listed(
      paxHeader([['GNU.sparse.size', '1000'], ['GNU.sparse.numblocks', '2'], ...map]),
      tarHeader('holes.bin', { size: 2 }),
      padded('xy'),
      after,
      end,
    );
    await expect(contentOf(reader, 'holes.bin')).rejects.toThrow(BadFormat);
    expect(await contentOf(reader, 'after.txt')).toEqual(Buffer.from('after'));
  });

  test('decodes the names of all entries together', async () => {
    const names = ['目录/文件.txt', '报告二零二五年.txt', '会议记录与总结.txt'];
    const encoded = names.map(
      (name) => encodeText(name, { encoding: 'gb18030', markBytes: 0 }) ?? new Uint8Array(),
    );
    const { entries, hasUnknownNames } = await listed(
      ...encoded.map((name) => tarHeader(Buffer.from(name).toString('latin1'))),
      end,
    );
    expect(entries.map(({ name }) => name)).toEqual(names);
    expect(hasUnknownNames).toBe(true);
  });

  test('of several concatenated archives shows all entries', async () => {
    const reader = await listed(after, end, Buffer.alloc(8192), after, end);
    expect(reader.entries).toHaveLength(2);
    expect(reader.state).toBe('whole');
  });

  test('shows times before 1970', async () => {
    const reader = await listed(
      tarHeader('old.txt', { at: [[136, Buffer.from('ffffffffffffffffffffff9c', 'hex')]] }),
      end,
    );
    expect(reader.entries[0]?.modifiedMs).toBe(-100_000);
  });

  test('shows the same entries if every read fails once', async () => {
    const longName = 'long/'.repeat(30);
    const archive = [
      paxHeader([
        ['path', 'pax/link'],
        ['size', '4'],
      ]),
      tarHeader('link', { type: '1', size: 0 }),
      padded('link'),
      tarHeader('././@LongLink', { type: 'L', size: longName.length }),
      padded(longName),
      sparse['GNU format, whose map goes on in a block of its own'] ?? end,
      after,
      end,
    ];
    const reader = await listedWithRetries(...archive);
    expect(reader.entries.map(({ name, sizeBytes }) => [name, sizeBytes])).toEqual([
      ['pax/link', 4],
      [longName, 0],
      ['after.txt', 5],
    ]);
    expect(reader.state).toBe('whole');
  });

  test('counts consecutive headers without an entry once, however often a read fails', async () => {
    const extras = Array.from({ length: 60 }, (_, at) => paxHeader([['path', `name-${String(at)}`]]));
    const reader = await listedWithRetries(...extras, after, end);
    expect(reader.entries.map(({ name }) => name)).toEqual(['name-59']);
  });
});
