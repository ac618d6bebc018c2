import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareKeys } from '../../../../../shared/keys/paths.ts';
import { entryOf, FakeService, walkAll } from '../fake-service.ts';

/** Troublesome characters of keys: characters whose order differs between UTF-8 and UTF-16, control characters, dots, slashes. */
const oddChar = fc.constantFrom(
  '\u0000',
  '\u0001',
  '\u001f',
  ' ',
  '%',
  '+',
  '-',
  '.',
  '/',
  '0',
  '1',
  '5',
  '9',
  'A',
  'a',
  'b',
  'f',
  'z',
  '\u007f',
  'é',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '\u{10000}',
  '😀',
  '\u{10ffff}',
);
const backwards = (text: string): string => Array.from(text).toReversed().join('');
const oddKey = fc.array(oddChar, { minLength: 1, maxLength: 7 }).map((chars) => chars.join(''));
const pathKey = fc
  .tuple(fc.constantFrom('a/', 'b/', 'logs/2026/', '../', './', ''), fc.nat({ max: 400 }))
  .map(([folder, number]) => `${folder}${String(number).padStart(4, '0')}`);
const keySets = fc.oneof(
  fc.uniqueArray(oddKey, { maxLength: 120 }),
  fc.uniqueArray(pathKey, { maxLength: 300 }),
  fc.uniqueArray(fc.oneof(oddKey, pathKey, fc.string({ unit: 'binary', minLength: 1, maxLength: 20 })), {
    maxLength: 200,
  }),
);
const settings = fc.record({
  pageSize: fc.integer({ min: 1, max: 20 }),
  readers: fc.integer({ min: 1, max: 16 }),
  seed: fc.nat(),
  shortPages: fc.boolean(),
});

test('a walk yields every key exactly once for any keys, page sizes and readers', async () => {
  await fc.assert(
    fc.asyncProperty(keySets, settings, async (keys, { readers, ...options }) => {
      const service = new FakeService({ keys, prefix: '', ...options });
      const walked = await walkAll(service, { prefix: '', readers });
      expect(walked.keys.toSorted(compareKeys)).toEqual(keys.toSorted(compareKeys));
      expect(walked.restarts).toBe(0);
      expect(walked.maxPieces).toBeLessThanOrEqual(readers);
    }),
    { numRuns: 400 },
  );
});

test('a walk below a prefix lists nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(
      keySets,
      settings,
      fc.constantFrom('a/', 'logs/', '.', '😀', '0'),
      async (keys, options, prefix) => {
        const service = new FakeService({ keys, prefix, ...options });
        const walked = await walkAll(service, { prefix, readers: options.readers });
        const below = keys.filter((key) => key.startsWith(prefix));
        expect(walked.keys.toSorted(compareKeys)).toEqual(below.toSorted(compareKeys));
      },
    ),
  );
});

test('a walk falls back to one sequential listing if the service has another key order', async () => {
  const orders: readonly ((a: string, b: string) => number)[] = [
    // UTF-16, as JavaScript's and Java's strings are ordered.
    (a, b) => (a < b ? -1 : a > b ? 1 : 0),
    (a, b) => -compareKeys(a, b),
    (a, b) => compareKeys(a.toLowerCase(), b.toLowerCase()) || compareKeys(a, b),
    (a, b) => compareKeys(backwards(a), backwards(b)),
    (a, b) => a.length - b.length || compareKeys(a, b),
  ];
  await fc.assert(
    fc.asyncProperty(
      keySets,
      settings,
      fc.constantFrom(...orders),
      fc.boolean(),
      async (keys, { readers, ...options }, order, ignoresAfter) => {
        const service = new FakeService({ keys, prefix: '', ...options, order, ignoresAfter });
        const walked = await walkAll(service, { prefix: '', readers });
        expect(walked.keys.toSorted(compareKeys)).toEqual(keys.toSorted(compareKeys));
      },
    ),
    { numRuns: 400 },
  );
});

test('keys added or removed during a walk do not affect the others', async () => {
  await fc.assert(
    fc.asyncProperty(
      keySets,
      fc.uniqueArray(oddKey, { maxLength: 60 }),
      settings,
      async (keys, moving, options) => {
        const staying = keys.filter((key) => !moving.includes(key));
        let turn = options.seed;
        const service = new FakeService({
          keys: staying,
          prefix: '',
          ...options,
          beforePage: (there) => {
            const key = moving[(turn += 7) % Math.max(1, moving.length)];
            if (key === undefined) return;
            if (there.has(key)) there.delete(key);
            else there.add(key);
          },
        });
        const walked = await walkAll(service, { prefix: '', readers: options.readers });
        const seen = walked.keys.filter((key) => !moving.includes(key));
        expect(seen.toSorted(compareKeys)).toEqual(staying.toSorted(compareKeys));
        expect(new Set(walked.keys).size).toBe(walked.keys.length);
      },
    ),
    { numRuns: 300 },
  );
});

test('a long listing is shared among all readers with few extra requests', async () => {
  const flat = Array.from({ length: 20_000 }, (_, index) => `photo-${String(index).padStart(8, '0')}.jpg`);
  const tree = flat.map(
    (_, index) => `team-${String(index % 40).padStart(2, '0')}/${String(index).padStart(6, '0')}.tif`,
  );
  for (const keys of [flat, tree]) {
    const service = new FakeService({ keys, prefix: '', pageSize: 100, seed: 1 });
    const walked = await walkAll(service, { prefix: '', readers: 8 });
    expect(walked.keys).toHaveLength(20_000);
    expect(walked.maxPieces).toBe(8);
    expect(service.requests).toBeLessThan(200 * 1.6);
  }
});

test('a folder that fits one page costs one request', async () => {
  const service = new FakeService({ keys: ['a', 'b/c'], prefix: '', pageSize: 2, seed: 1 });
  expect((await walkAll(service, { prefix: '', readers: 16 })).keys).toEqual(['a', 'b/c']);
  expect(service.requests).toBe(1);
});

test('a failed piece fails the whole walk', async () => {
  const keys = Array.from({ length: 500 }, (_, index) => String(index).padStart(4, '0'));
  const service = new FakeService({ keys, prefix: '', pageSize: 10, seed: 3 });
  let calls = 0;
  const failing = {
    list: async (...input: Parameters<FakeService['list']>) => {
      calls += 1;
      if (calls === 20) throw new Error('gone');
      await service.list(...input);
    },
    listFromEndToEnd: service.listFromEndToEnd,
    folders: service.folders,
  };
  await expect(walkAll(failing, { prefix: '', readers: 4 })).rejects.toThrow('gone');
});

test("an aborted walk rejects with the signal's reason and sends no more requests", async () => {
  const keys = Array.from({ length: 500 }, (_, index) => String(index).padStart(4, '0'));
  const stopping = new AbortController();
  const service = new FakeService({
    keys,
    prefix: '',
    pageSize: 10,
    seed: 3,
    beforePage: () => {
      if (service.requests === 12) stopping.abort(new Error('enough'));
    },
  });
  await expect(walkAll(service, { prefix: '', readers: 4, signal: stopping.signal })).rejects.toThrow(
    'enough',
  );
  const asked = service.requests;
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  expect(service.requests).toBe(asked);
});

const foldersOf = fc.constantFrom('', 'a/', 'logs/');

const lastCharacter = '\u{10FFFF}';

test('a folder is listed entry by entry in adjoining spans, whatever its subfolders hold', async () => {
  await fc.assert(
    fc.asyncProperty(
      keySets,
      settings,
      foldersOf,
      fc.boolean(),
      async (keys, options, prefix, repeatsPrefix) => {
        const { readers, pageSize, seed } = options;
        const delimiter = '/';
        const service = new FakeService({ keys, prefix, pageSize, seed, delimiter, repeatsPrefix });
        const below = keys.filter((key) => key.startsWith(prefix)).toSorted(compareKeys);
        const entries = [...new Set(below.map((key) => entryOf(key, prefix)))];
        const after = entries[Math.floor(entries.length / 3)] ?? prefix;
        const walked = await walkAll(service, { prefix, readers, delimiter, after });
        // Two cases may restart a reader: a page with only the prefix that it should start after, and a folder with a name that
        // begins with the last character, because no text sorts after all names in it.
        const comesAgain = repeatsPrefix || below.some((key) => key.includes(`/${lastCharacter}`));
        if (pageSize === 1 && comesAgain) return;
        expect(walked.restarts).toBe(0);
        const rest = entries.filter((entry) => compareKeys(entry, after) > 0);
        const bySpan = new Map(walked.spans.map((piece) => [piece.span.after, piece]));
        const joined: string[] = [];
        let at: string | null = after;
        while (at !== null) {
          const next = bySpan.get(at);
          expect(next).toBeDefined();
          if (next === undefined) return;
          joined.push(...next.keys);
          at = next.span.upTo;
        }
        expect(joined).toEqual(rest);
      },
    ),
    { numRuns: 300 },
  );
});

test('a folder with many objects is listed by many readers without a restart', async () => {
  const keys = Array.from({ length: 4000 }, (_, index) => `f/${String(index).padStart(5, '0')}`);
  for (let index = 0; index < 50; index += 1) keys.push(`f/sub${index}/x`, `f/sub${index}/y`);
  const service = new FakeService({ keys, prefix: 'f/', pageSize: 20, seed: 7, delimiter: '/' });
  const walked = await walkAll(service, { prefix: 'f/', readers: 12, delimiter: '/', after: 'f/00019' });
  expect(walked.restarts).toBe(0);
  expect(walked.maxPieces).toBeGreaterThan(4);
  expect(walked.keys).toHaveLength(4000 - 20 + 50);
});
