import { expect, test, describe } from 'vitest';
import {
  objectPages,
  follow,
  maxIdlePages,
  noTrail,
  pagesOf,
  trailSchema,
} from '../../../../../electron/core/s3/listing/pages.ts';
import type { ListObjectsPage, Trail } from '../../../../../electron/core/s3/model/listing-types.ts';
import type { RequestOptions } from '../../../../../electron/core/s3/model/request-types.ts';
import * as fc from 'fast-check';
import { AppFailure } from '../../../../../shared/errors.ts';

interface Page {
  readonly names: readonly number[];
  readonly next: { readonly at: number; readonly trail: Trail } | null;
}

/** Reads pages like a client. `next` is the index of the page to which each page leads; null ends the list. */
async function read(
  pages: readonly { readonly names: readonly number[]; readonly next: number | null }[],
  options: { readonly ahead?: boolean } = {},
): Promise<{ readonly got: readonly number[]; readonly asked: number; readonly isWhole: boolean }> {
  const got: number[] = [];
  let asked = 0;
  const all = pagesOf(
    async (next: Page['next']): Promise<Page> => {
      asked += 1;
      const page = pages[next?.at ?? 0];
      if (page === undefined) return { names: [], next: null };
      if (page.next === null) return { names: page.names, next: null };
      const trail = follow(next?.trail ?? noTrail, page.names, page.names.length === 0);
      return await Promise.resolve({ names: page.names, next: { at: page.next, trail } });
    },
    (page) => page.next,
    options,
  );
  try {
    for await (const { names } of all) got.push(...names);
    return { got, asked, isWhole: true };
  } catch (thrown) {
    if (!(thrown instanceof AppFailure) || thrown.error.reason !== 'listing-stuck') throw thrown;
    return { got, asked, isWhole: false };
  }
}

const content = fc.uniqueArray(fc.uniqueArray(fc.nat(), { maxLength: 3 }), {
  minLength: 1,
  maxLength: 40,
  selector: (names) => (names.length === 0 ? Symbol('empty') : JSON.stringify(names)),
});

describe.each([false, true])('pages read one ahead: %s', (ahead) => {
  test('are read to the end that the service names, each once, including empty ones', async () => {
    await fc.assert(
      fc.asyncProperty(content, async (pages) => {
        const list = pages.map((names, at) => ({ names, next: at + 1 < pages.length ? at + 1 : null }));
        const { got, asked, isWhole } = await read(list, { ahead });
        expect(isWhole).toBe(true);
        expect(got).toEqual(pages.flat());
        expect(asked).toBe(pages.length);
      }),
    );
  });

  test('that form a loop never count as complete, wherever it starts and however long it is', async () => {
    await fc.assert(
      fc.asyncProperty(content, fc.nat(), async (pages, back) => {
        const list = pages.map((names, at) => ({
          names,
          next: at + 1 < pages.length ? at + 1 : back % pages.length,
        }));
        const { asked, isWhole } = await read(list, { ahead });
        expect(isWhole).toBe(false);
        expect(asked).toBeLessThanOrEqual(maxIdlePages + 6 * pages.length + 2);
      }),
      { numRuns: 40 },
    );
  });
});

test('a caller that stops reading requests no further page', async () => {
  let asked = 0;
  const pages = pagesOf(
    async (at: number | null) => {
      asked += 1;
      return await Promise.resolve(at ?? 0);
    },
    (at) => at + 1,
  );
  for await (const at of pages) if (at === 2) break;
  expect(asked).toBe(3);
});

test('a failed page that was requested ahead rejects when its turn comes', async () => {
  const seen: number[] = [];
  const pages = pagesOf(
    async (at: number | null) =>
      (at ?? 0) === 2 ? await Promise.reject(new Error('gone')) : await Promise.resolve(at ?? 0),
    (at) => at + 1,
    { ahead: true },
  );
  const all = async (): Promise<void> => {
    for await (const at of pages) seen.push(at);
  };
  await expect(all()).rejects.toThrow('gone');
  expect(seen).toEqual([0, 1]);
});

test('loop-detection state returned by a caller is validated by its shape', () => {
  expect(trailSchema.safeParse(follow(noTrail, ['a'], false)).success).toBe(true);
  for (const other of [null, 1, {}, { ...noTrail, digest: 1 }, { ...noTrail, count: 0.5 }])
    expect(trailSchema.safeParse(other).success).toBe(false);
});

/** Returns an endless listing whose pages arrive at once, except for those from `slowFrom` on, which never arrive. */
function endless(slowFrom: number) {
  const signals: AbortSignal[] = [];
  return {
    signals,
    listObjects: async (_input: unknown, options?: RequestOptions): Promise<ListObjectsPage> => {
      const at = signals.push(options?.signal ?? new AbortController().signal);
      if (at >= slowFrom) return await new Promise(() => undefined);
      return await Promise.resolve({
        objects: [],
        commonPrefixes: [],
        unreadable: [],
        foreign: [],
        nextPageToken: String(at),
      });
    },
  };
}

test('leaving a listing aborts the page request sent ahead', async () => {
  const client = endless(2);
  for await (const _ of objectPages(client, { bucket: 'b' }, { ahead: true })) break;
  expect(client.signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

test("a page request sent ahead is aborted by the reader's signal, not before", async () => {
  const client = endless(2);
  const reader = new AbortController();
  const pages = objectPages(client, { bucket: 'b' }, { ahead: true, signal: reader.signal });
  await pages.next();
  expect(client.signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  reader.abort();
  expect(client.signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});
