import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { smallObject } from '../../../electron/service/store/blobs.ts';
import { everyKind } from '../../../shared/models/map.ts';
import { everyObject } from '../../../shared/models/walks.ts';
import { changeCost, monthlyCost, smallestSizes, stalledCost } from '../../../shared/pricing/cost.ts';
import { shippedPrices } from '../../../shared/pricing/shipped.ts';
import {
  coreUnderTest,
  inputFor,
  serviceKeys,
  serviceUnderTest,
  type CoreUnderTest,
} from '../../support/core/core-under-test.ts';
import type { Service } from '../../support/lab-service/server.ts';
import { clientFor } from '../../support/servers/s3-client.ts';
import { Chance } from '../../torture/chance.ts';

/**
 * Recomputes the numbers of the window from the objects that the test itself made, by plain loops and without the code under test.
 * docs/what-the-numbers-mean.md names these tests.
 */
const bucket = 'numbers';
const KiB = 1024;
const GiB = 1024 ** 3;
const classes = ['STANDARD', 'STANDARD_IA', 'GLACIER', 'DEEP_ARCHIVE'] as const;
/** The expected kinds of some extensions, independent of the program's table. */
const kinds: Readonly<Record<string, string>> = {
  jpg: 'image',
  log: 'log',
  txt: 'document',
  csv: 'sheet',
  zzz: 'file',
};
const seeds = [1, 2, 3];

interface Made {
  readonly key: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly storageClass: string;
  readonly content: string;
}

interface Rig extends CoreUnderTest {
  readonly service: Service;
  readonly connectionId: string;
}

async function rig(objects: readonly Made[]): Promise<Rig> {
  const service = await serviceUnderTest();
  service.store.buckets.create(bucket, 0);
  const core = coreUnderTest({});
  const { id } = await core.client.connections.create(inputFor(service.endpoint));
  store(service, objects);
  return { ...core, service, connectionId: id };
}

function store(service: Service, objects: readonly Made[]): void {
  service.store.putObjects(
    service.store.buckets.get(bucket)?.id ?? 0,
    objects.map(({ key, sizeBytes, content, ...facts }) => [
      key,
      // Only listings are read, so an object may claim any size.
      { ...smallObject(Buffer.from(content), facts), sizeBytes },
    ]),
  );
}

/** Generates objects in nested folders, of all classes and kinds, some with equal contents, from six years. */
function generated(seed: number, count = 700): readonly Made[] {
  const chance = new Chance(seed);
  const pick = <T>(from: readonly T[]): T => from[chance.integer(0, from.length - 1)] as T;
  const made = new Map<string, Made>();
  while (made.size < count) {
    const depth = chance.integer(0, 3);
    const folders = Array.from({ length: depth }, () => pick(['a', 'b', 'cé', 'd e', 'f+g']));
    const name = `${chance.integer(0, 1e6)}.${pick(Object.keys(kinds))}`;
    const content = chance.integer(0, 2) === 0 ? `same ${chance.integer(0, 12)}` : `only ${made.size}`;
    made.set([...folders, name].join('/'), {
      key: [...folders, name].join('/'),
      sizeBytes: content.startsWith('same')
        ? 100_000 + content.length
        : chance.integer(0, 2 ** chance.integer(1, 36)),
      modifiedMs: Date.UTC(2020, chance.integer(0, 71), chance.integer(1, 28), 5, 6, 7),
      storageClass: pick(classes),
      content,
    });
  }
  return [...made.values()];
}

async function mapped(core: Rig, refresh: 'never' | 'always' = 'never'): Promise<string> {
  const place = { connectionId: core.connectionId, bucket, prefix: '', refresh };
  const { mapId } = await core.client.map.open(place);
  for await (const { isComplete, walk } of await core.client.map.watch({ mapId }))
    if (isComplete && walk?.state !== 'running') return mapId;
  throw new Error('The map was closed.');
}

const below = (objects: readonly Made[], folder: string): readonly Made[] =>
  objects.filter(({ key }) => key.startsWith(folder));
const bytes = (objects: readonly { readonly sizeBytes: number }[]): number =>
  objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** Returns the number and bytes of objects by name, as `name: [objects, bytes]`. */
function sums(objects: readonly Made[], nameOf: (object: Made) => string): Record<string, [number, number]> {
  const found: Record<string, [number, number]> = {};
  for (const object of objects) {
    const [count, size] = found[nameOf(object)] ?? [0, 0];
    found[nameOf(object)] = [count + 1, size + object.sizeBytes];
  }
  return found;
}

const shown = (
  rows: readonly { readonly name: string; readonly objects: number; readonly sizeBytes: number }[],
): Record<string, [number, number]> =>
  Object.fromEntries(rows.map(({ name, objects, sizeBytes }) => [name, [objects, sizeBytes]]));

const folders = ['', 'a/', 'cé/', 'd e/f+g/', 'a/b/a/'];
const iso = (ms: number): string => new Date(ms).toISOString();

test.each(seeds)(
  'size, count and groups of each folder are those of the objects in it (seed %i)',
  async (seed) => {
    const objects = generated(seed);
    const core = await rig(objects);
    const mapId = await mapped(core);
    for (const folder of folders) {
      const there = below(objects, folder);
      const facts = await core.client.map.facts({ mapId, folder, filter: everyKind });
      expect([facts.objects, facts.sizeBytes]).toEqual([there.length, bytes(there)]);
      expect(shown(facts.byKind)).toEqual(sums(there, ({ key }) => kinds[key.slice(-3)] ?? ''));
      expect(shown(facts.byStorageClass)).toEqual(sums(there, ({ storageClass }) => storageClass));
      expect(shown(facts.byMonth)).toEqual(sums(there, ({ modifiedMs }) => iso(modifiedMs).slice(0, 7)));
      const ends: readonly (readonly [string, number])[] = [
        ['16KiB', 16 * KiB],
        ['128KiB', 128 * KiB],
        ['1MiB', KiB ** 2],
        ['16MiB', 16 * KiB ** 2],
        ['128MiB', 128 * KiB ** 2],
        ['1GiB', GiB],
        ['16GiB', 16 * GiB],
        ['larger', Infinity],
      ];
      const groupOf = ({ sizeBytes }: Made): string => ends.find(([, end]) => sizeBytes < end)?.[0] ?? '';
      expect(shown(facts.bySize)).toEqual(sums(there, groupOf));
      expect(facts.folders).toBe(new Set(there.flatMap(({ key }) => parentsOf(key, folder))).size);
    }
    const sizes = await core.client.map.sizes({
      connectionId: core.connectionId,
      bucket,
      prefix: '',
      folders: folders.slice(1),
    });
    expect(sizes?.sums).toEqual(
      folders.slice(1).map((folder) => {
        const there = below(objects, folder);
        return { objects: there.length, sizeBytes: bytes(there) };
      }),
    );
  },
);

/** Returns the folders below `folder` that contain a key. */
function parentsOf(key: string, folder: string): readonly string[] {
  const parts = key.slice(folder.length).split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

test('largest and oldest objects of a folder are those of the folder, although the bucket has larger and older ones', async () => {
  const chance = new Chance(4);
  const large = Array.from({ length: 3200 }, (_, at): Made => ({
    key: `large/${at}.log`,
    sizeBytes: 1e9 + at,
    modifiedMs: Date.UTC(2015, 0, 1) + at * 1000,
    storageClass: 'STANDARD',
    content: `${at}`,
  }));
  const small = Array.from({ length: 900 }, (_, at): Made => ({
    key: `small/${at % 7}/${at}.${at % 3 === 0 ? 'jpg' : 'log'}`,
    sizeBytes: chance.integer(1, 1e6),
    modifiedMs: Date.UTC(2020, 0, 1) + chance.integer(0, 1e8) * 1000,
    storageClass: 'STANDARD',
    content: `small ${at}`,
  }));
  const core = await rig([...large, ...small]);
  const mapId = await mapped(core);
  for (const [folder, kind] of [
    ['small/', null],
    ['small/3/', null],
    ['small/', 'image'],
    ['large/', null],
  ] as const) {
    const filter = kind === null ? everyKind : { ...everyKind, kinds: [kind] };
    const facts = await core.client.map.facts({ mapId, folder, filter });
    const there = below([...large, ...small], folder).filter(
      ({ key }) => kind === null || kinds[key.slice(-3)] === kind,
    );
    expect([facts.largestOf, facts.oldestOf]).toEqual([null, null]);
    expect(facts.largest.map(({ sizeBytes }) => sizeBytes)).toEqual(
      there
        .map(({ sizeBytes }) => sizeBytes)
        .toSorted((left, other) => other - left)
        .slice(0, 100),
    );
    expect(facts.oldest.map(({ lastModified }) => lastModified)).toEqual(
      there
        .map(({ modifiedMs }) => modifiedMs)
        .toSorted((left, other) => left - other)
        .slice(0, 100)
        .map(iso),
    );
    const byKey = new Map(there.map((object) => [object.key, object]));
    for (const { key, sizeBytes } of [...facts.largest, ...facts.oldest])
      expect(byKey.get(key)?.sizeBytes).toBe(sizeBytes);
  }
});

test.each(seeds)('duplicates are the objects with the same bytes (seed %i)', async (seed) => {
  const objects = generated(seed);
  const core = await rig(objects);
  const mapId = await mapped(core);
  for (const folder of folders) {
    const alike = new Map<string, Made[]>();
    for (const object of below(objects, folder)) {
      if (object.sizeBytes === 0) continue;
      const print = `${object.sizeBytes} ${createHash('sha256').update(object.content).digest('hex')}`;
      alike.set(print, [...(alike.get(print) ?? []), object]);
    }
    const groups = [...alike.values()].filter(({ length }) => length > 1);
    const found = await core.client.map.duplicates({ mapId, folder });
    expect(found).toMatchObject({
      kind: 'found',
      isExact: true,
      groups: groups.length,
      extraCopies: groups.reduce((sum, { length }) => sum + length - 1, 0),
      extraBytes: groups.reduce((sum, group) => sum + bytes(group.slice(1)), 0),
    });
    if (found.kind !== 'found') return;
    const keysOf = (group: readonly Made[]): string =>
      group
        .map(({ key }) => key)
        .toSorted()
        .join('\n');
    const named = new Map(groups.map((group) => [keysOf(group), group.length]));
    // A group lists at most 20 of its keys.
    for (const { keys, copies } of found.largest.filter((group) => group.copies <= 20))
      expect(named.get(keys.toSorted().join('\n'))).toBe(copies);
  }
});

test.each(seeds)(
  'changes are the keys that were added, removed, or have another size or content (seed %i)',
  async (seed) => {
    const before = generated(seed);
    const core = await rig(before);
    await mapped(core);
    const chance = new Chance(seed + 100);
    const id = core.service.store.buckets.get(bucket)?.id ?? 0;
    const after = new Map(before.map((object) => [object.key, object]));
    for (const object of before)
      switch (chance.integer(0, 5)) {
        case 0:
          core.service.store.deleteObject(id, object.key);
          after.delete(object.key);
          break;
        case 1:
          after.set(object.key, {
            ...object,
            sizeBytes: object.sizeBytes + chance.integer(1, 1000),
            content: `${object.content}!`,
          });
          break;
        case 2:
          // A changed storage class does not count as a change of the object.
          after.set(object.key, { ...object, storageClass: 'STANDARD_IA' });
          break;
        default:
      }
    for (let at = 0; at < 40; at += 1) {
      const [added] = generated(seed + 1000 + at, 1);
      if (added !== undefined && !after.has(added.key)) after.set(added.key, added);
    }
    store(core.service, [...after.values()]);
    await mapped(core, 'always');
    const place = { connectionId: core.connectionId, bucket };
    const kept = async () => (await core.client.map.list(place)).catalogues;
    // The previous map counts as complete until the second walk has started.
    await expect.poll(async () => (await kept()).length, { timeout: 20_000 }).toBe(2);
    const [second, first] = await kept();
    const known = new Map(before.map((object) => [object.key, object]));
    for (const folder of folders) {
      const expected = {
        addedObjects: 0,
        addedBytes: 0,
        removedObjects: 0,
        removedBytes: 0,
        changedObjects: 0,
        changedBytes: 0,
      };
      for (const object of below([...after.values()], folder)) {
        const old = known.get(object.key);
        if (old === undefined) {
          expected.addedObjects += 1;
          expected.addedBytes += object.sizeBytes;
        } else if (old.sizeBytes !== object.sizeBytes || old.content !== object.content) {
          expected.changedObjects += 1;
          expected.changedBytes += object.sizeBytes - old.sizeBytes;
        }
      }
      for (const object of below(before, folder))
        if (!after.has(object.key)) {
          expected.removedObjects += 1;
          expected.removedBytes += object.sizeBytes;
        }
      const changes = await core.client.map.changes({
        ...place,
        folder,
        beforeId: first?.catalogueId ?? '',
        afterId: second?.catalogueId ?? '',
      });
      expect(changes.total).toEqual(expected);
    }
  },
);

test.each(seeds)(
  'a search counts the objects that meet its conditions, from the service and from a catalogue (seed %i)',
  async (seed) => {
    const objects = generated(seed);
    const core = await rig(objects);
    await mapped(core);
    const query = {
      ...everyObject,
      name: { kind: 'glob', text: '*.{jpg,csv}', caseSensitive: false, in: 'name' } as const,
      minSizeBytes: 5000,
      modifiedFrom: '2022-03-01T00:00:00.000Z',
      modifiedBefore: '2025-01-01T00:00:00.000Z',
      storageClasses: ['STANDARD', 'GLACIER'],
    };
    for (const prefix of folders)
      for (const fromCatalogue of [true, false]) {
        const expected = below(objects, prefix).filter(
          ({ key, sizeBytes, modifiedMs, storageClass }) =>
            /\.(?:jpg|csv)$/.test(key) &&
            sizeBytes >= 5000 &&
            modifiedMs >= Date.UTC(2022, 2, 1) &&
            modifiedMs < Date.UTC(2025, 0, 1) &&
            ['STANDARD', 'GLACIER'].includes(storageClass),
        );
        const place = { connectionId: core.connectionId, bucket, prefix };
        const { walkId } = await core.client.walks.start({ ...place, query, fromCatalogue });
        let last = null;
        for await (const status of await core.client.walks.watch({ walkId })) last = status;
        expect(last).toMatchObject({
          state: 'done',
          keys: below(objects, prefix).length,
          sizeBytes: bytes(below(objects, prefix)),
          matches: expected.length,
          matchedBytes: bytes(expected),
        });
      }
  },
);

type StepList = readonly (readonly [number, number])[];

/** Reads the figures of a price list from its file, independently of the program. */
function listFile(): (storageClass: string, figure: string) => number | StepList {
  const file = path.resolve('shared/pricing/lists/aws-us-east-1.json');
  const list = JSON.parse(readFileSync(file, 'utf8')) as {
    classes: Record<string, Record<string, [number | StepList, ...unknown[]]>>;
  };
  return (storageClass, figure) => list.classes[storageClass]?.[figure]?.[0] ?? 0;
}

/** Computes an amount directly: each GiB has the price of its step. */
function stepped(price: number | StepList, gib: number): number {
  if (typeof price === 'number') return price * gib;
  return price.reduce((sum, [from, value], at) => {
    const to = price[at + 1]?.[0] ?? Infinity;
    return sum + Math.max(0, Math.min(gib, to) - from) * value;
  }, 0);
}

/** Returns the monthly bill for objects, each billed with at least the minimum size of its class. */
function billOf(objects: readonly { readonly storageClass: string; readonly sizeBytes: number }[]): number {
  const figure = listFile();
  const gib: Record<string, number> = {};
  const add = (storageClass: string, billed: number): void => {
    gib[storageClass] = (gib[storageClass] ?? 0) + billed / GiB;
  };
  for (const { storageClass, sizeBytes } of objects) {
    add(storageClass, Math.max(sizeBytes, Number(figure(storageClass, 'smallestBytes'))));
    add(storageClass, Number(figure(storageClass, 'overheadBytes')));
    add('STANDARD', Number(figure(storageClass, 'overheadStandardBytes')));
  }
  return Object.entries(gib).reduce(
    (sum, [storageClass, amount]) => sum + stepped(figure(storageClass, 'storagePerGbMonth'), amount),
    0,
  );
}

const aws = () => {
  const list = shippedPrices('aws', 'us-east-1');
  if (list === null) throw new Error('There is no list.');
  return list;
};

test.each(seeds)(
  'the monthly cost of a folder is the bill of its objects, one by one (seed %i)',
  async (seed) => {
    const objects = generated(seed).map((object, at) =>
      at % 50 === 0 ? { ...object, sizeBytes: 2 ** 44 + at } : object,
    );
    const core = await rig(objects);
    const mapId = await mapped(core);
    for (const folder of folders) {
      const holdings = await core.client.map.holdings({
        mapId,
        folder,
        filter: everyKind,
        smallest: smallestSizes(aws()),
      });
      const cost = monthlyCost(aws(), holdings);
      expect(cost.missing).toEqual([]);
      expect(cost.amount).toBeCloseTo(billOf(below(objects, folder)), 4);
    }
  },
);

test.each(seeds)(
  'the cost of a change to STANDARD is that of its requests, retrieval, restores and early end (seed %i)',
  async (seed) => {
    const objects = generated(seed);
    const core = await rig(objects);
    const mapId = await mapped(core);
    const nowMs = Date.UTC(2026, 0, 15);
    const holdings = await core.client.map.holdings({
      mapId,
      folder: '',
      filter: everyKind,
      smallest: smallestSizes(aws()),
    });
    const cost = changeCost(aws(), holdings, 'STANDARD', nowMs);
    const changed = objects.filter(({ storageClass }) => storageClass !== 'STANDARD');
    const figure = listFile();
    const restored = changed.filter(({ storageClass }) => /GLACIER|DEEP_ARCHIVE/.test(storageClass));
    const restore =
      restored.reduce(
        (sum, { storageClass, sizeBytes }) =>
          sum +
          Number(figure(storageClass, 'standardRestorePer1000')) / 1000 +
          (Number(figure(storageClass, 'standardRestorePerGb')) * sizeBytes) / GiB,
        0,
      ) + stepped(figure('STANDARD', 'storagePerGbMonth'), bytes(restored) / GiB / 30.4);
    const requests = (changed.length / 1000) * Number(figure('STANDARD', 'writePer1000'));
    const retrieval = changed.reduce(
      (sum, { storageClass, sizeBytes }) =>
        sum + (Number(figure(storageClass, 'retrievalPerGb')) * sizeBytes) / GiB,
      0,
    );
    expect(cost.restoreAmount).toBeCloseTo(restore, 6);
    expect(cost.once.amount - cost.earlyAmount).toBeCloseTo(requests + retrieval + restore, 6);
    expect(cost.before.amount).toBeCloseTo(billOf(changed), 6);
    expect(cost.after.amount).toBeCloseTo(
      billOf(changed.map(({ sizeBytes }) => ({ sizeBytes, storageClass: 'STANDARD' }))),
      6,
    );
  },
);

const sum = (all: readonly number[]): number => all.reduce((total, value) => total + value, 0);

test('older versions and parts of unfinished uploads are counted on request, each at its own price', async () => {
  const core = await rig([]);
  const { client } = clientFor(core.service.endpoint, { credentials: () => Promise.resolve(serviceKeys) });
  await client.putBucketDocument({
    bucket,
    query: 'versioning',
    operation: 'BucketVersioning',
    text: '<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Status>Enabled</Status></VersioningConfiguration>',
  });
  const older: number[] = [];
  for (const [key, sizes] of Object.entries({
    'a/1': [10, 20, 30],
    'a/2': [5],
    'b/1': [7, 9],
    'a/gone': [40],
  })) {
    for (const sizeBytes of sizes)
      await client.putObject({ bucket, key, body: { sizeBytes, open: () => Buffer.alloc(sizeBytes, 1) } });
    if (key === 'a/gone') await client.deleteObject({ bucket, key });
    if (key.startsWith('a/')) older.push(...(key === 'a/gone' ? sizes : sizes.slice(0, -1)));
  }
  const parts: number[] = [];
  for (const key of ['a/big', 'b/big']) {
    const { uploadId } = await client.createMultipartUpload({ bucket, key });
    for (const [at, sizeBytes] of [6_000_000, 1234].entries()) {
      const body = { sizeBytes, open: () => Buffer.alloc(sizeBytes, 1) };
      await client.uploadPart({ bucket, key, uploadId, partNumber: at + 1, body });
      if (key.startsWith('a/')) parts.push(sizeBytes);
    }
  }
  const request = { connectionId: core.connectionId, bucket, prefix: 'a/', smallest: [] };
  let last = null;
  for await (const now of await core.client.versions.unlisted(request)) last = now;
  expect(last).toMatchObject({
    isComplete: true,
    olderVersions: older.length,
    deleteMarkers: 1,
    uploads: 1,
    parts: [{ storageClass: 'STANDARD', sizeBytes: sum(parts) }],
    refused: { versions: null, uploads: null },
  });
  expect(last?.versions.reduce((total, { sizeBytes }) => total + sizeBytes, 0)).toBe(sum(older));
  const price = Number((listFile()('STANDARD', 'storagePerGbMonth') as StepList)[0]?.[1]);
  expect(monthlyCost(aws(), last?.versions ?? []).amount).toBeCloseTo((sum(older) / GiB) * price, 12);
  const stored = (last?.parts ?? []).map((part) => ({ ...part, byteDays: 0 }));
  expect(stalledCost(aws(), stored).monthly.amount).toBeCloseTo((sum(parts) / GiB) * price, 12);
});

test('older versions are counted although the service refuses to list uploads, and the refusal is reported', async () => {
  const core = await rig([]);
  core.service.faults.add({
    operation: 'ListMultipartUploads',
    bucket,
    times: Infinity,
    action: { kind: 'status', status: 403, code: 'AccessDenied', message: 'Not you.' },
  });
  const request = { connectionId: core.connectionId, bucket, prefix: '', smallest: [] };
  let last = null;
  for await (const now of await core.client.versions.unlisted(request)) last = now;
  expect(last).toMatchObject({
    isComplete: true,
    refused: { versions: null, uploads: { code: 'access-denied' } },
  });
});
