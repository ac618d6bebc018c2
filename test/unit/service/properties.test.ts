import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { isXmlText, percentDecode } from '../../../electron/service/encoding.ts';
import { Store } from '../../support/lab-service/server.ts';
import { smallObject } from '../../../electron/service/store/blobs.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { all, call, ok, elementText, pathOf, prefixesOf, serve } from './harness.ts';

const bytewise = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Any valid Unicode of up to 1024 bytes, and often the characters that break things. */
const anyKey = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
    fc.string({
      unit: fc.constantFrom(
        '/',
        '.',
        '%',
        '+',
        ' ',
        '&',
        '<',
        '"',
        '\\',
        '?',
        '#',
        '\u0000',
        '\r',
        '\n',
        'é',
        'e\u0301',
        '😀',
        '\uFFFE',
        '\u202E',
        'a',
        '0',
        '2',
        'F',
      ),
      minLength: 1,
      maxLength: 12,
    }),
    fc.constantFrom(
      '..',
      '.',
      '/',
      '//',
      'a/../b',
      'CON',
      ' ',
      '\u0000',
      'C:\\x',
      '%2F',
      'true',
      '007',
      'x'.repeat(1024),
    ),
  )
  .filter((key) => Buffer.byteLength(key) <= 1024);

test('any key can be put, read, listed in every form and deleted', async () => {
  const service = await serve();
  service.store.buckets.create('bucket', 0);
  await fc.assert(
    fc.asyncProperty(anyKey, async (key) => {
      const path = pathOf('bucket', key);
      expect((await call(service, { method: 'PUT', path, body: key })).status).toBe(200);
      expect((await call(service, { path })).text).toBe(key);
      const encoded = await call(service, {
        path: '/bucket',
        query: { 'list-type': '2', 'encoding-type': 'url' },
      });
      expect(percentDecode((elementText(encoded.text, 'Key') ?? '').replaceAll('+', ' '))).toBe(key);
      for (const query of [{}, { prefix: key }]) {
        const plain = await call(service, { path: '/bucket', query });
        const reply = [plain.status, elementText(plain.text, 'Code'), all(plain.text, 'Key')];
        expect(reply).toEqual(isXmlText(key) ? [200, null, [key]] : [400, 'InvalidRequest', []]);
      }
      expect((await call(service, { method: 'DELETE', path })).status).toBe(204);
      expect(all(ok(await call(service, { path: '/bucket' })).text, 'Key')).toEqual([]);
    }),
    { numRuns: 120 },
  );
});

/** Keys that share prefixes, so that delimiters have something to do. */
const nearKey = fc.string({
  unit: fc.constantFrom('a', 'b', '/', 'é', '😀', '\uFF5E', '-'),
  minLength: 1,
  maxLength: 6,
});
const listing = fc.record({
  keys: fc.uniqueArray(nearKey, { maxLength: 60 }),
  prefix: fc.oneof(fc.constant(''), fc.string({ unit: fc.constantFrom('a', 'b', '/', 'é'), maxLength: 3 })),
  delimiter: fc.constantFrom('', '/', 'a', '//', 'é', '-a'),
  pageSize: fc.integer({ min: 1, max: 12 }),
  after: fc.option(nearKey),
});
interface Listing {
  readonly keys: readonly string[];
  readonly prefix: string;
  readonly delimiter: string;
  readonly after: string | null;
}

/** Implements the specification in the simplest way: drops keys up to `after`, groups and sorts. */
function model({ keys, prefix, delimiter, after }: Listing): { keys: string[]; prefixes: string[] } {
  const found = new Set<string>();
  const folders = new Set<string>();
  const follows = (entry: string): boolean => after === null || bytewise(entry, after) > 0;
  for (const key of keys.filter((candidate) => candidate.startsWith(prefix) && follows(candidate))) {
    const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    if (at < 0) found.add(key);
    else folders.add(key.slice(0, at + delimiter.length));
  }
  // If a page ended with a common prefix, the next page starts after all keys with this prefix.
  if (after !== null) folders.delete(after);
  return { keys: [...found].toSorted(bytewise), prefixes: [...folders].toSorted(bytewise) };
}

test('pages of any size, prefix, delimiter and start together equal the plain model', () => {
  const store = new Store(tempDir());
  onTestFinished(() => store.close());
  let run = 0;
  fc.assert(
    fc.property(listing, (input) => {
      const bucket = store.buckets.create(`bucket-${run++}`, 0);
      const bucketId = bucket?.id ?? 0;
      const object = smallObject(Buffer.alloc(0), { modifiedMs: 0 });
      store.putObjects(
        bucketId,
        input.keys.map((key) => [key, object] as const),
      );
      const keys: string[] = [];
      const prefixes: string[] = [];
      let after = input.after;
      for (let isTruncated = true; isTruncated;) {
        const page = store.list(bucketId, {
          prefix: input.prefix,
          delimiter: input.delimiter,
          after,
          limit: input.pageSize,
        });
        const entries = [...page.rows.map((row) => row.key), ...page.commonPrefixes].toSorted(bytewise);
        expect(entries.length).toBeLessThanOrEqual(input.pageSize);
        expect(page.isTruncated && entries.length === 0).toBe(false);
        keys.push(...page.rows.map((row) => row.key));
        prefixes.push(...page.commonPrefixes);
        after = entries.at(-1) ?? after;
        isTruncated = page.isTruncated;
      }
      expect({ keys, prefixes }).toEqual(model(input));
    }),
    { numRuns: 400 },
  );
});

test.each(['V1', 'V2'])('pages over HTTP equal the plain model, with the paging of %s', async (version) => {
  const service = await serve();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(listing, async (input) => {
      const name = `bucket-${run++}`;
      const bucket = service.store.buckets.create(name, 0);
      const object = smallObject(Buffer.alloc(0), { modifiedMs: 0 });
      service.store.putObjects(
        bucket?.id ?? 0,
        input.keys.map((key) => [key, object] as const),
      );
      const base: Record<string, string> = {
        prefix: input.prefix,
        delimiter: input.delimiter,
        'max-keys': String(input.pageSize),
      };
      if (version === 'V2') base['list-type'] = '2';
      if (input.after !== null) base[version === 'V2' ? 'start-after' : 'marker'] = input.after;
      const keys: string[] = [];
      const prefixes: string[] = [];
      let next: Record<string, string> | null = {};
      while (next !== null) {
        const { text }: { text: string } = await call(service, {
          path: `/${name}`,
          query: { ...base, ...next },
        });
        keys.push(...all(text, 'Key'));
        prefixes.push(...prefixesOf(text));
        const token = elementText(text, version === 'V2' ? 'NextContinuationToken' : 'NextMarker');
        expect(elementText(text, 'IsTruncated')).toBe(String(token !== null));
        next = token === null ? null : { [version === 'V2' ? 'continuation-token' : 'marker']: token };
      }
      expect({ keys, prefixes }).toEqual(model(input));
    }),
    { numRuns: 40 },
  );
});

test('skipping large folders yields the same pages as reading them', () => {
  const store = new Store(tempDir());
  onTestFinished(() => store.close());
  const bucketId = store.buckets.create('bucket', 0)?.id ?? 0;
  const object = smallObject(Buffer.alloc(0), { modifiedMs: 0 });
  const keys: string[] = [];
  for (let folder = 0; folder < 300; folder++) {
    const count = folder % 3 === 0 ? 200 : 1;
    for (let index = 0; index < count; index++)
      keys.push(`f${String(folder).padStart(3, '0')}${folder % 7 === 0 ? '' : '/'}${index}`);
  }
  store.putObjects(
    bucketId,
    keys.map((key) => [key, object] as const),
  );
  for (const delimiter of ['/', '0', '9', '/1']) {
    const input = { keys, prefix: 'f', delimiter, after: null };
    const page = store.list(bucketId, { prefix: 'f', delimiter, after: null, limit: 100_000 });
    expect({ keys: page.rows.map((row) => row.key), prefixes: [...page.commonPrefixes] }).toEqual(
      model(input),
    );
  }
});
