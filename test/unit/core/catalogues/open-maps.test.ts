import { expect, test } from 'vitest';
import type { CatalogueThread } from '../../../../electron/core/catalogues/catalogue-thread.ts';
import { KnownCatalogues } from '../../../../electron/core/catalogues/known-catalogues.ts';
import { OpenMaps } from '../../../../electron/core/catalogues/open-maps.ts';
import type { IndexedCatalogue } from '../../../../electron/core/catalogues/thread/catalogue-index.ts';
import type { KeyWalk } from '../../../../electron/core/walks/walk-source.ts';
import type { WalkStatus } from '../../../../shared/models/walks.ts';
import { printOrigin, type BucketOrigin } from '../../../../electron/core/s3/model/bucket-origin.ts';
import { countingRandom, manualClock } from '../../../support/core/fake-ports.ts';
import { silentLogger } from '../../../support/servers/s3-client.ts';

const connectionId = 'c';
const sums = { revision: 1, objects: 1, sizeBytes: 1, folders: 0 };
const buckets = ['a', 'b', 'c', 'd', 'e', 'f'];

function originAt(endpoint: string): BucketOrigin {
  return { endpoint, account: 'me', createdAt: null };
}

function catalogueOf(bucket: string, origin: BucketOrigin): IndexedCatalogue {
  return {
    catalogueId: `catalogue of ${bucket}`,
    connectionId,
    bucket,
    prefix: '',
    takenAt: '2026-01-01T00:00:00.000Z',
    objects: 1,
    sizeBytes: 1,
    fileBytes: 1,
    requests: 1,
    source: 'walk',
    origin: printOrigin(origin),
  };
}

/** The open maps of buckets with a catalogue each. Loading a catalogue and asking for an origin wait while they are held. */
function rig({ hasCatalogues = true, kept = 'kept', objects = 1 } = {}) {
  const state = { origin: originAt('https://old.test'), loads: 0 };
  /** The sums in the memory of the thread. */
  const loaded = new Set<string>();
  const catalogues = hasCatalogues ? buckets.map((bucket) => catalogueOf(bucket, state.origin)) : [];
  const held: Record<'load' | 'origin' | 'finish', Promise<void> | null> = {
    load: null,
    origin: null,
    finish: null,
  };
  /** Each listing has ended when it begins. */
  const lists = { begun: 0 };
  const listKeys = (): KeyWalk => {
    lists.begun += 1;
    return {
      status: () => ({ state: 'done', requests: 1 }) as WalkStatus,
      stop: () => undefined,
      ended: Promise.resolve(),
      onChange: () => () => true,
    };
  };
  const clock = manualClock();
  const ask = async (method: string, input: { readonly sumsId: string } | null): Promise<unknown> => {
    await Promise.resolve();
    if (method === 'index') return catalogues;
    if (method === 'load') {
      state.loads += 1;
      await held.load;
      loaded.add(input?.sumsId ?? '');
    }
    if (method === 'begin') loaded.add(input?.sumsId ?? '');
    if (method === 'finish') {
      await held.finish;
      return { ...sums, objects, kept };
    }
    if (method === 'drop') loaded.delete(input?.sumsId ?? '');
    return sums;
  };
  const thread = { ask, close: () => Promise.resolve() } as unknown as CatalogueThread;
  const originOf = async (): Promise<BucketOrigin> => {
    const { origin } = state;
    await held.origin;
    return origin;
  };
  const maps = new OpenMaps({
    ports: { clock, random: countingRandom(), logger: silentLogger },
    thread,
    catalogues: new KnownCatalogues({ thread, originOf }),
    walks: { listKeys },
    originOf,
    limitBytes: () => 1,
  });
  return { maps, state, loaded, held, lists, clock };
}

/** Lets all pending promises settle. */
async function settled(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}

const placeOf = (bucket: string, prefix = '') => ({ connectionId, bucket, prefix });

test('a map that is closed while its catalogue is loaded is opened again, and its first sums are dropped', async () => {
  const { maps, loaded, held, state } = rig();
  const gate = Promise.withResolvers<void>();
  held.load = gate.promise;
  const opening = maps.at(placeOf('a'));
  await settled();
  expect(state.loads).toBe(1);
  await maps.closeAll(connectionId, null);
  gate.resolve();
  const openMap = await opening;
  maps.use(openMap);
  expect(openMap.isClosed).toBe(false);
  expect(maps.get(openMap.mapId)).toBe(openMap);
  expect(await maps.at(placeOf('a'))).toBe(openMap);
  expect([...loaded]).toEqual([openMap.sumsId]);
});

test('a map that is being loaded is not closed to make room for others', async () => {
  const { maps, held, state } = rig();
  const gate = Promise.withResolvers<void>();
  held.load = gate.promise;
  const opening = maps.at(placeOf('a'));
  await settled();
  held.load = null;
  for (const bucket of buckets.slice(1)) await maps.at(placeOf(bucket));
  gate.resolve();
  const openMap = await opening;
  expect(maps.get(openMap.mapId)).toBe(openMap);
  expect(state.loads).toBe(buckets.length);
});

test('using a closed map does not open it again', async () => {
  const { maps, loaded } = rig();
  const openMap = await maps.at(placeOf('a'));
  await maps.close(openMap);
  maps.use(openMap);
  expect(() => maps.get(openMap.mapId)).toThrow('This map no longer exists.');
  expect(loaded.size).toBe(0);
});

test.each(['', 'folder/'])(
  'a second window waits for the catalogue that is being loaded: %j',
  async (prefix) => {
    const { maps, held, state } = rig();
    const gate = Promise.withResolvers<void>();
    held.load = gate.promise;
    const first = maps.at(placeOf('a'));
    await settled();
    const second = maps.at(placeOf('a', prefix));
    await settled();
    gate.resolve();
    expect((await second).takenAt).not.toBeNull();
    expect(await second).toBe(await first);
    expect(state.loads).toBe(1);
  },
);

test('a connection that changes while its origin is read opens maps of the new origin only', async () => {
  const { maps, held, state } = rig({ hasCatalogues: false });
  const gate = Promise.withResolvers<void>();
  held.origin = gate.promise;
  const opening = [maps.at(placeOf('a')), maps.forReport(placeOf('b'), '2026-01-01T00:00:00.000Z')];
  await settled();
  state.origin = originAt('https://new.test');
  await maps.closeAll(connectionId, null);
  gate.resolve();
  for (const openMap of await Promise.all(opening)) expect(openMap.bucketOrigin).toEqual(state.origin);
});

test('watched maps without a catalogue stay open, because reopening one would list all its keys again', async () => {
  const { maps, lists } = rig({ hasCatalogues: false, kept: 'off' });
  for (const bucket of buckets) {
    const openMap = await maps.at(placeOf(bucket));
    openMap.addWatcher();
    openMap.refresh();
    await settled();
    expect(openMap.isWalking).toBe(false);
  }
  for (const bucket of buckets) expect((await maps.at(placeOf(bucket))).takenAt).not.toBeNull();
  expect(lists.begun).toBe(buckets.length);
});

test('maps that no window watches, or that have a catalogue, are closed to make room for others', async () => {
  const { maps } = rig({ hasCatalogues: false, kept: 'off' });
  const unwatched = await maps.at(placeOf('a'));
  unwatched.addWatcher()();
  for (const bucket of buckets.slice(1)) await maps.at(placeOf(bucket));
  expect(unwatched.isClosed).toBe(true);
  const { maps: reloadable } = rig();
  const stored = await reloadable.at(placeOf('a'));
  stored.addWatcher();
  for (const bucket of buckets.slice(1)) await reloadable.at(placeOf(bucket));
  expect(stored.isClosed).toBe(true);
});

test.each([
  [1_000_000, true],
  [1_000_001, false],
])(
  'an old map of %i objects without a catalogue is refreshed automatically: %j',
  async (objects, isRefreshed) => {
    const { maps, clock } = rig({ hasCatalogues: false, kept: 'too-large', objects });
    const openMap = await maps.at(placeOf('a'));
    openMap.refresh();
    await settled();
    await clock.advance(6 * 60_000);
    expect(await maps.isOld(openMap)).toBe(isRefreshed);
  },
);

test('a refresh while a completed listing is being stored does not replace its sums', async () => {
  const { maps, loaded, held, lists } = rig({ hasCatalogues: false });
  const gate = Promise.withResolvers<void>();
  held.finish = gate.promise;
  const openMap = await maps.at(placeOf('a'));
  openMap.refresh();
  await settled();
  expect(openMap.status().walk?.state).toBe('done');
  openMap.refresh();
  await settled();
  gate.resolve();
  await settled();
  expect(openMap.isComplete).toBe(true);
  expect([...loaded]).toEqual([openMap.sumsId]);
  expect(lists.begun).toBe(1);
  openMap.refresh();
  expect(lists.begun).toBe(2);
});

test('a listing whose catalogue cannot be stored does not count as running for ever', async () => {
  const { maps, held } = rig({ hasCatalogues: false });
  const gate = Promise.withResolvers<void>();
  held.finish = gate.promise;
  const openMap = await maps.at(placeOf('a'));
  openMap.refresh();
  await settled();
  gate.reject(new Error('The thread ended.'));
  await settled();
  expect(openMap.isWalking).toBe(false);
  expect(openMap.status()).toMatchObject({ kept: 'failed', walk: { state: 'done' } });
});
