import { expect, test } from 'vitest';
import { objectPages } from '../../../../../electron/core/s3/listing/pages.ts';
import type { ListObjectsPage } from '../../../../../electron/core/s3/model/listing-types.ts';
import type { RequestOptions } from '../../../../../electron/core/s3/model/request-types.ts';

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
        keyCount: 0,
        nextPageToken: String(at),
        requestId: null,
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
