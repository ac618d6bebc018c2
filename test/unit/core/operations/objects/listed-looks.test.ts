import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  commonPrefix,
  justBefore,
  ListedLooks,
  type ListedLook,
} from '../../../../../electron/core/operations/objects/listed-looks.ts';
import { compareUtf8 } from '../../../../../electron/core/s3/model/encode.ts';
import type { ListedObject, ListObjectsInput } from '../../../../../electron/core/s3/model/listing-types.ts';
import type { S3Client } from '../../../../../electron/core/s3/model/s3-client.ts';
import { failure } from '../../../../../shared/errors.ts';

const never = new AbortController().signal;

function objectAt(key: string): ListedObject {
  return { key, sizeBytes: key.length, lastModified: null, etag: `"${key}"`, storageClass: null };
}

interface Fake {
  readonly pageSize?: number;
  readonly shuffled?: boolean;
  readonly ignoresStart?: boolean;
  readonly error?: Error;
}

/** A service that lists these keys as S3 does, or with deviations. */
function service(keys: readonly string[], fake: Fake = {}) {
  const asked: ListObjectsInput[] = [];
  const sorted = keys.toSorted(compareUtf8);
  const listObjects: S3Client['listObjects'] = (input) => {
    asked.push(input);
    if (fake.error !== undefined) return Promise.reject(fake.error);
    const { prefix = '', startAfter } = input;
    const after = fake.ignoresStart === true ? undefined : startAfter;
    const found = sorted.filter(
      (key) => key.startsWith(prefix) && (after === undefined || compareUtf8(key, after) > 0),
    );
    const pageSize = Math.min(input.maxKeys ?? 1000, fake.pageSize ?? 1000);
    const page = found.slice(0, pageSize);
    if (fake.shuffled === true) page.reverse();
    return Promise.resolve({
      objects: page.map(objectAt),
      commonPrefixes: [],
      nextPageToken: found.length > page.length ? 'more' : null,
      unreadable: [],
      foreign: [],
    });
  };
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the tested code uses no other members
  return { asked, client: { listObjects } as S3Client };
}

function looks(client: S3Client): ListedLooks {
  return new ListedLooks(client, 'b', never);
}

const anyKey = fc.oneof(
  fc.string({ minLength: 1, maxLength: 6, unit: 'grapheme' }),
  fc.constantFrom('a', 'a/', 'a/b', 'a0', 'ab', 'ü', '\u{1f600}', '\ufffd', 'a\u0001', '~', 'a~', 'a!'),
);

describe('checking keys by listing', () => {
  test('reports for each key the listed object, its absence, or unknown', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anyKey, { maxLength: 60 }),
        fc.array(anyKey, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 40 }),
        async (there, others, pageSize) => {
          const wanted = [...others, ...there.slice(0, 10)];
          const { client } = service(there, { pageSize });
          const listedLooks = await looks(client).lookAt(wanted);
          expect(listedLooks).toHaveLength(wanted.length);
          for (const [index, key] of wanted.entries()) {
            const listedLook = listedLooks[index];
            const found = listedLook?.kind === 'present' ? listedLook.object.key : listedLook?.kind;
            expect(['unknown', there.includes(key) ? key : 'absent']).toContain(found);
          }
        },
      ),
    );
  });

  test('needs few requests for many adjacent keys and answers all of them', async () => {
    const keys = Array.from({ length: 2500 }, (_, index) => `to/${index}`);
    const { client, asked } = service([...keys, 'other', 'zzz']);
    const listedLooks = await looks(client).lookAt(keys);
    expect(listedLooks.every(({ kind }) => kind === 'present')).toBe(true);
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  test('gives up if the keys are too far apart in the listing', async () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `k/${String(index).padStart(5, '0')}`);
    const { client, asked } = service(keys);
    const wanted = keys.filter((_, index) => index % 2000 === 0);
    const desk = looks(client);
    const kinds: ListedLook['kind'][] = [];
    for (let turn = 0; turn < 10; turn += 1)
      kinds.push(...(await desk.lookAt(wanted)).map(({ kind }) => kind));
    expect(kinds).toContain('unknown');
    expect(asked.length).toBeLessThan(8);
  });

  test.each([
    ['out of order', { shuffled: true }],
    ['that ignore the start key', { ignoresStart: true }],
  ] as const)('ignores pages %s', async (_name, fake) => {
    const { client } = service(['p/1', 'p/2', 'p/3', 'p/4', 'p/5', 'p/6'], fake);
    const listedLooks = await looks(client).lookAt(['p/3', 'p/4', 'p/6']);
    expect(listedLooks.map(({ kind }) => kind)).toEqual(['unknown', 'unknown', 'unknown']);
  });

  test('falls back to HEAD if listing is denied, and fails if the error is temporary', async () => {
    const denied = service(['a'], { error: failure('access-denied', 'no') });
    const desk = looks(denied.client);
    expect(await desk.look('a')).toEqual({ kind: 'unknown' });
    expect(await desk.look('b')).toEqual({ kind: 'unknown' });
    expect(denied.asked).toHaveLength(1);
    const busy = service(['a'], { error: failure('rate-limited', 'later', { retry: 'backoff' }) });
    await expect(looks(busy.client).look('a')).rejects.toMatchObject({ error: { code: 'rate-limited' } });
  });
});

describe('the start of a listing', () => {
  test('sorts before the key as valid text, and the common prefix starts both keys', () => {
    fc.assert(
      fc.property(anyKey, anyKey, (left, right) => {
        const prefix = commonPrefix(left, right);
        expect(left.startsWith(prefix) && right.startsWith(prefix)).toBe(true);
        expect(prefix.isWellFormed()).toBe(true);
        const before = justBefore(left, prefix);
        if (before === null) return;
        expect(compareUtf8(before, left)).toBeLessThan(0);
        expect(before.isWellFormed()).toBe(true);
      }),
    );
  });
});
