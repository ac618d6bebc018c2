import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { smallObject } from '../../../electron/service/store/blobs.ts';
import { appErrorOf } from '../../../renderer/rpc/errors.ts';
import { everyObject } from '../../../shared/models/walks.ts';
import {
  coreUnderTest,
  inputFor,
  serviceKeys,
  serviceUnderTest,
} from '../../support/core/core-under-test.ts';
import { objectXml, startCrookedListings, type CrookedPlan } from '../../support/servers/crooked-listings.ts';
import { realClient } from '../../support/servers/real-client.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { sampleOf } from '../../support/sample.ts';

const keys = Array.from({ length: 30 }, (_, index) => `tree/file ${String(index).padStart(2, '0')}.txt`);
const beside = ['tree', 'tree-2/other.txt', 'zebra.txt'];
const pageSize = 4;
/** More requests than this would mean an endless loop. Up to a thousand empty pages in a row are followed. */
const maxRequests = 2500;

const empty = { entries: [] };

/** Irregular listings that end. */
const finite: readonly (readonly [string, CrookedPlan])[] = [
  ['in regular pages', { pages: (pages) => pages }],
  ['with five empty pages first', { pages: (pages) => [empty, empty, empty, empty, empty, ...pages] }],
  ['with an empty page after each', { pages: (pages) => pages.flatMap((page) => [page, empty]) }],
  ['with an empty page at the end', { pages: (pages) => [...pages, empty] }],
  [
    'whose pages overlap',
    {
      pages: (pages) =>
        pages.map((page, at) => ({
          entries: [...(pages[at - 1]?.entries.slice(-2) ?? []), ...page.entries],
        })),
    },
  ],
  [
    'without order and without a start position',
    { pages: (pages) => pages.toReversed(), startAfter: 'refused' },
  ],
  [
    'without order that ignore the start position',
    { pages: (pages) => pages.toReversed(), startAfter: 'ignored' },
  ],
  [
    'without order whose pages overlap',
    {
      pages: (pages) =>
        pages
          .toReversed()
          .map((page, at, all) => ({
            entries: [...(all[at - 1]?.entries.slice(-2) ?? []), ...page.entries],
          })),
      startAfter: 'refused',
    },
  ],
];

/** Listings without an end. */
const endless: readonly (readonly [string, CrookedPlan])[] = [
  [
    'that repeat their first page',
    { pages: ([first = empty]) => [{ ...first, next: 0 }], startAfter: 'ignored' },
  ],
  [
    'that cycle through three pages',
    {
      pages: (pages) => pages.slice(0, 3).map((page, at) => ({ ...page, next: (at + 1) % 3 })),
      startAfter: 'ignored',
    },
  ],
  [
    'that return to their second page',
    {
      pages: (pages) => pages.map((page, at) => (at === pages.length - 1 ? { ...page, next: 1 } : page)),
      startAfter: 'ignored',
    },
  ],
  [
    'that continue with empty pages',
    { pages: ([first = empty]) => [first, { ...empty, next: 1 }], startAfter: 'ignored' },
  ],
];

/** Starts a core whose connection uses the crooked server. The results are checked on the service behind it. */
async function rig(plan: CrookedPlan) {
  const service = await serviceUnderTest();
  const bucket = service.store.buckets.create('lists', 0);
  service.store.putObjects(
    bucket?.id ?? 0,
    [...keys, ...beside].map((key) => [key, smallObject(Buffer.from(key), { modifiedMs: 1e12 })]),
  );
  const client = realClient({ endpoint: service.endpoint, keys: serviceKeys });
  const crooked = await startCrookedListings(service.endpoint, client, { pageSize });
  crooked.plan = plan;
  onTestFinished(async () => {
    await crooked.close();
    await client.close();
  });
  const under = coreUnderTest();
  const { id: connectionId } = await under.client.connections.create(inputFor(crooked.endpoint));
  const place = { connectionId, bucket: 'lists' };
  const stored = async (): Promise<readonly string[]> =>
    (await client.listObjects({ bucket: 'lists' })).objects.map(({ key }) => key);
  /** Waits until the core reports that a job rests. */
  const settled = async (jobId: string) => {
    const aborter = new AbortController();
    onTestFinished(() => aborter.abort());
    const changes = await under.client.jobs.watch(undefined, { signal: aborter.signal });
    for await (const _ of changes) {
      const job = await under.client.jobs.get({ jobId });
      if (['done', 'needs-attention', 'paused', 'cancelled'].includes(job.state)) return job;
    }
    throw new Error('The core reported nothing more.');
  };
  const walk = async (query: typeof everyObject | null) => {
    const { walkId } = await under.client.walks.start({ ...place, prefix: 'tree/', query });
    let last = null;
    for await (const status of await under.client.walks.watch({ walkId })) last = status;
    return last;
  };
  return { ...under, crooked, place, stored, settled, walk, s3: client };
}

type Rig = Awaited<ReturnType<typeof rig>>;

const tree = [{ kind: 'prefix', prefix: 'tree/' }] as const;

/** Lists a folder page by page as the window does. Returns null if the core reported an endless listing. */
async function foldersRows({ client, place }: Rig): Promise<ReadonlySet<string> | null> {
  const rows = new Set<string>();
  let pageToken: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof client.objects.list>> | null = await client.objects
      .list({ ...place, prefix: 'tree/', delimiter: '/', pageToken })
      .catch((thrown: unknown) => {
        if (appErrorOf(thrown).reason === 'listing-stuck') return null;
        throw thrown;
      });
    if (page === null) return null;
    for (const { key } of page.objects) rows.add(key);
    pageToken = page.nextPageToken;
  } while (pageToken !== null);
  return rows;
}

async function download({ client, core, place, settled }: Rig) {
  const folder = tempDir();
  const { jobId } = await client.transfers.download({
    ...place,
    basePrefix: '',
    items: [...tree],
    folderHandle: (await core.droppedFile(folder)).handle,
    options: { onConflict: 'ask' },
  });
  const job = await settled(jobId);
  const read = (): readonly string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.cooper-'))
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
      .toSorted();
  return { job, read };
}

async function copy({ client, place, settled }: Rig, isMove: boolean) {
  const { jobId } = await client.operations.copy({
    from: { ...place, basePrefix: '' },
    items: [...tree],
    to: { ...place, prefix: 'copy/' },
    options: { onConflict: 'ask', isMove },
  });
  return await settled(jobId ?? '');
}

async function remove({ client, place, settled }: Rig, versions: 'markers' | 'all-versions') {
  const { jobId } = await client.operations.delete({ ...place, items: [...tree], versions });
  return await settled(jobId);
}

describe.each(sampleOf(finite, 3))('complete listings %s', (_what, plan) => {
  test('are shown completely, each entry once', async () => {
    expect([...((await foldersRows(await rig(plan))) ?? [])].toSorted()).toEqual(keys);
  });

  test('are downloaded completely, each object once', async () => {
    const { job, read } = await download(await rig(plan));
    expect(job).toMatchObject({ state: 'done', items: { total: 30, done: 30 } });
    expect(read()).toEqual(keys);
  });

  test('are copied and moved completely, each object once', async () => {
    const copies = await rig(plan);
    expect(await copy(copies, false)).toMatchObject({ state: 'done', items: { total: 30, done: 30 } });
    const copied = keys.map((key) => `copy/${key}`);
    expect(await copies.stored()).toEqual([...copied, ...keys, ...beside].toSorted());
    const moves = await rig(plan);
    expect(await copy(moves, true)).toMatchObject({ state: 'done', items: { total: 30, done: 30 } });
    expect(await moves.stored()).toEqual([...copied, ...beside].toSorted());
  });

  test('are deleted completely, and nothing else', async () => {
    const deletes = await rig(plan);
    expect(await remove(deletes, 'markers')).toMatchObject({ state: 'done' });
    expect(await deletes.stored()).toEqual(beside);
    const all = await rig(plan);
    expect(await remove(all, 'all-versions')).toMatchObject({ state: 'done' });
    expect(await all.stored()).toEqual(beside);
  });

  test('are searched and counted completely', async () => {
    const walks = await rig(plan);
    expect(await walks.walk(everyObject)).toMatchObject({ state: 'done', matches: 30 });
    expect(await walks.walk(null)).toMatchObject({ state: 'done', keys: 30, foreign: { count: 0 } });
  });

  test('mark their bucket as not empty', async () => {
    const { client, place } = await rig(plan);
    expect(await client.bucketSettings.contents(place)).toMatchObject({ hasObjects: true });
  });
});

describe.each(sampleOf(endless, 2))('endless listings %s', (_what, plan) => {
  test('are reported as incomplete after few requests in every operation', { timeout: 60_000 }, async () => {
    const lists = await rig(plan);
    const bounded = async (name: string, work: () => Promise<void>): Promise<void> => {
      const before = lists.crooked.asked;
      await work();
      expect({ what: name, isBounded: lists.crooked.asked - before < maxRequests }).toEqual({
        what: name,
        isBounded: true,
      });
    };
    await bounded('folder', async () => expect(await foldersRows(lists)).toBeNull());
    await bounded('download', async () => {
      const { job } = await download(lists);
      expect(job).toMatchObject({ state: 'needs-attention', error: { reason: 'listing-stuck' } });
    });
    await bounded('move', async () => {
      expect(await copy(lists, true)).toMatchObject({ state: 'needs-attention' });
    });
    await bounded('delete', async () => {
      expect(await remove(lists, 'markers')).toMatchObject({ state: 'needs-attention' });
      expect(await remove(lists, 'all-versions')).toMatchObject({ state: 'needs-attention' });
    });
    await bounded('search', async () => {
      expect(await lists.walk(everyObject)).toMatchObject({
        state: 'failed',
        error: { reason: 'listing-stuck' },
      });
    });
    // Nothing was moved or deleted on the basis of an endless listing.
    expect(await lists.stored()).toEqual([...keys, ...beside].toSorted());
  });

  test('of stalled uploads and versions end with an error too', { timeout: 60_000 }, async () => {
    const { client, crooked, place, s3 } = await rig(plan);
    for (const key of keys) await s3.createMultipartUpload({ bucket: 'lists', key });
    const before = crooked.asked;
    let last = null;
    for await (const event of await client.stalled.scan({ ...place, prefix: '' })) {
      last = event;
      if (event.finished) break;
    }
    expect(last).toMatchObject({ finished: true, errors: [{ error: { reason: 'listing-stuck' } }] });
    expect(last?.found).toBeLessThanOrEqual(keys.length);
    expect(crooked.asked - before).toBeLessThan(maxRequests);
  });
});

test('a repeated page is detected: the list is incomplete or has each entry once', async () => {
  const plan: CrookedPlan = { pages: (pages) => pages.flatMap((page) => [page, page]) };
  const rows = await foldersRows(await rig(plan));
  expect([null, keys]).toContainEqual(rows === null ? null : [...rows].toSorted());
  const { job, read } = await download(await rig(plan));
  expect(read().every((name, index, all) => keys.includes(name) && name !== all[index - 1])).toBe(true);
  const isReported = job.error?.reason === 'listing-stuck';
  expect(isReported || read().length === keys.length).toBe(true);
  expect(job.state).toBe(isReported ? 'needs-attention' : 'done');
});

describe('foreign entries of a listing', () => {
  const foreign: CrookedPlan = {
    pages: (pages) => pages.map(({ entries }) => ({ entries: [...entries, objectXml('zebra.txt')] })),
  };

  test('are left out of the folder and counted', async () => {
    const { client, place } = await rig(foreign);
    const page = await client.objects.list({ ...place, prefix: 'tree/', delimiter: '/', pageToken: null });
    expect(page.objects.map(({ key }) => key)).toEqual(keys.slice(0, pageSize));
    expect(page.foreign).toEqual({ count: 1, example: 'zebra.txt' });
  });

  test.each([
    ['in order', foreign],
    [
      'without order',
      { ...foreign, pages: (pages) => foreign.pages(pages.toReversed()), startAfter: 'refused' },
    ],
  ] as const satisfies readonly (readonly [string, CrookedPlan])[])(
    'are left out of a search and a size, and counted (lists %s)',
    async (_order, plan) => {
      const { walk } = await rig(plan);
      for (const query of [everyObject, null]) {
        const status = await walk(query);
        expect(status).toMatchObject({ state: 'done', keys: 30, foreign: { example: 'zebra.txt' } });
        expect(status?.foreign.count).toBeGreaterThan(0);
      }
    },
  );

  test('are left out of versions and stalled uploads, and counted', async () => {
    const { client, place, s3 } = await rig({
      pages: (pages) =>
        pages.map(({ entries }) => ({
          entries: [
            ...entries,
            '<Version><Key>zebra.txt</Key><VersionId>v</VersionId><IsLatest>true</IsLatest><Size>1</Size></Version>',
            '<Upload><Key>zebra.txt</Key><UploadId>u</UploadId></Upload>',
          ],
        })),
    });
    const page = await client.versions.list({ ...place, prefix: 'tree/', delimiter: '/', pageToken: null });
    expect(page.versions.map(({ key }) => key)).toEqual(keys.slice(0, pageSize));
    expect(page.foreign).toEqual({ count: 1, example: 'zebra.txt' });
    await s3.createMultipartUpload({ bucket: 'lists', key: 'tree/good' });
    let last = null;
    for await (const event of await client.stalled.scan({ ...place, prefix: 'tree/' })) {
      last = event;
      if (event.finished) break;
    }
    expect(last).toMatchObject({ found: 1, errors: [], foreign: { count: 1, example: 'zebra.txt' } });
  });

  test('are noted in the log of a job that skips them', async () => {
    const works = [
      async (lists: Rig) => (await download(lists)).job,
      async (lists: Rig) => await copy(lists, false),
      async (lists: Rig) => await remove(lists, 'markers'),
    ];
    for (const work of works) {
      const lists = await rig(foreign);
      const ended = await work(lists);
      const log = await lists.client.jobs.attempts({ jobId: ended.id, beforeId: null, limit: 500 });
      expect(log.filter(({ request }) => request === 'list-objects').map(({ note }) => note)).toEqual([
        expect.stringMatching(/^left out \d+ entr(y|ies) from outside "tree\/", such as "zebra\.txt"$/),
      ]);
    }
  });

  test('are neither downloaded nor moved nor deleted', async () => {
    const downloads = await rig(foreign);
    expect((await download(downloads)).read()).toEqual(keys);
    const deletes = await rig(foreign);
    await remove(deletes, 'markers');
    expect(await deletes.stored()).toEqual(expect.arrayContaining(beside));
    const moves = await rig(foreign);
    await copy(moves, true);
    expect(await moves.stored()).toEqual(expect.arrayContaining(beside));
  });
});

describe.each([
  ['an empty size', objectXml('tree/bad', '')],
  ['a negative size', objectXml('tree/bad', '-1')],
  ['a size of twenty digits', objectXml('tree/bad', '12345678901234567890')],
  ['no key', objectXml('', '1')],
])('an entry with %s', (_what, entry) => {
  const plan: CrookedPlan = {
    pages: (pages) => pages.map(({ entries }) => ({ entries: [entry, ...entries] })),
  };

  test('hides nothing else of the folder, and is reported with its text', async () => {
    const { client, place } = await rig(plan);
    const page = await client.objects.list({ ...place, prefix: 'tree/', delimiter: '/', pageToken: null });
    expect(page.objects.map(({ key }) => key)).toEqual(keys.slice(0, pageSize));
    expect(page.unreadable).toHaveLength(1);
    expect(page.unreadable[0]?.text).toContain('Size:');
  });

  test('stops operations that need a complete list, and is named', async () => {
    const lists = await rig(plan);
    const { job } = await download(lists);
    expect(job).toMatchObject({ state: 'needs-attention', error: { reason: 'unreadable-entry' } });
    expect(await remove(lists, 'markers')).toMatchObject({ state: 'needs-attention' });
    expect(await lists.stored()).toEqual([...keys, ...beside].toSorted());
  });
});

test('an unreadable version or upload hides no other and is reported with its text', async () => {
  const lists = await rig({
    pages: (pages) =>
      pages.map(({ entries }) => ({
        entries: [
          '<Version><Key>bad version</Key><Size>many</Size></Version>',
          '<Upload><Key>bad upload</Key></Upload>',
          ...entries,
        ],
      })),
  });
  const page = await lists.client.versions.list({
    ...lists.place,
    prefix: 'tree/',
    delimiter: '/',
    pageToken: null,
  });
  expect(page.versions.map(({ key }) => key)).toEqual(keys.slice(0, pageSize));
  expect(page.unreadable.map(({ text }) => text)).toEqual(['Key: bad version\nSize: many']);
  await lists.s3.createMultipartUpload({ bucket: 'lists', key: 'good upload' });
  let last = null;
  for await (const event of await lists.client.stalled.scan({ ...lists.place, prefix: '' })) {
    last = event;
    if (event.finished) break;
  }
  expect(last).toMatchObject({
    found: 1,
    errors: [],
    unreadable: [{ text: 'Bucket: lists\nKey: bad upload' }],
  });
});
