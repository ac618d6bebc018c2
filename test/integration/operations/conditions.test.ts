import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { killAt, killedAtPoints } from '../../support/core/kill-at.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { copyBytes, pieceBytes, treeOf, type TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB } from '../../support/core/uploads-rig.ts';
import { sampleOf } from '../../support/sample.ts';
import { conditionQuirks } from '../../torture/condition-quirks.ts';

/** Tests that every kind of job, killed at many points, has the same result on services with different support for conditions. */
let rig: TransferRig;
rigOfFile(
  (started) => {
    rig = started;
  },
  { timeouts: { firstByteMs: 500, inactivityMs: 500 } },
);

const objects: ReadonlyMap<string, Buffer> = new Map([
  ['small', bytesOf(3 * KiB, 1)],
  ['sub/empty', Buffer.alloc(0)],
  ['sub/large', bytesOf(3 * copyBytes + 5, 2)],
  ['sub/pieces', bytesOf(2 * pieceBytes + 7, 3)],
]);

async function putAll(prefix: string): Promise<void> {
  for (const [name, bytes] of objects) await rig.put(`${prefix}${name}`, bytes, { colour: 'blue' });
}

async function wrongAt(prefix: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, bytes] of objects)
    if ((await rig.object(`${prefix}${name}`))?.equals(bytes) !== true)
      wrong.push(`${prefix}${name} differs`);
  return wrong;
}

const here = { connectionId: 'c', bucket: 'bucket' };
const fromA = [{ kind: 'prefix', prefix: 'a/' }] as const;

function copy(isMove: boolean, connectionId: string, onConflict: 'ask' | 'overwrite' = 'ask'): string {
  const { jobId } = rig.operations.copy({
    from: { ...here, basePrefix: 'a/' },
    items: fromA,
    to: { connectionId, bucket: rig.bucket, prefix: 'b/' },
    options: { onConflict, isMove },
  });
  return jobId ?? '';
}

interface Kind {
  readonly make: () => Promise<void> | void;
  readonly begin: () => Promise<string> | string;
  /** Returns the problems found once the job is done, or an empty list. */
  readonly judge: () => Promise<string[]>;
}

async function unlessAlone(keys: readonly string[]): Promise<string[]> {
  const now = await rig.keys();
  return now.join() === keys.join() ? [] : [`the bucket holds ${now.join()}`];
}

const namesAt = (prefix: string): string[] => [...objects.keys()].map((name) => `${prefix}${name}`);

const kinds: Readonly<Record<string, Kind>> = {
  'an upload': {
    make: () => {
      for (const [name, bytes] of objects) rig.file(`a/${name}`, bytes);
    },
    begin: async () => await rig.upload([path.join(rig.sendDir, 'a')]),
    judge: async () => await wrongAt('a/'),
  },
  'a download': {
    make: async () => await putAll('a/'),
    begin: async () => await rig.download(fromA),
    judge: async () => {
      const tree = treeOf(rig.fetchDir);
      return await Promise.resolve(
        [...objects].flatMap(([name, bytes]) =>
          tree.get(`a/${name}`)?.bytes?.equals(bytes) === true ? [] : [`${name} differs`],
        ),
      );
    },
  },
  'a copy': {
    make: async () => await putAll('a/'),
    begin: () => copy(false, 'c'),
    judge: async () => [...(await wrongAt('a/')), ...(await wrongAt('b/'))],
  },
  'a copy over others': {
    make: async () => {
      await putAll('a/');
      for (const name of objects.keys()) await rig.put(`b/${name}`, Buffer.from('old'));
    },
    begin: () => copy(false, 'c', 'overwrite'),
    judge: async () => [...(await wrongAt('a/')), ...(await wrongAt('b/'))],
  },
  'a move': {
    make: async () => await putAll('a/'),
    begin: () => copy(true, 'c'),
    judge: async () => [...(await wrongAt('b/')), ...(await unlessAlone(namesAt('b/')))],
  },
  'a move to another service': {
    make: async () => await putAll('a/'),
    begin: () => copy(true, 'other'),
    judge: async () => [...(await wrongAt('b/')), ...(await unlessAlone(namesAt('b/')))],
  },
  'a deletion': {
    make: async () => {
      await putAll('a/');
      await rig.put('ab', Buffer.from('stays'));
    },
    begin: () => rig.operations.delete(here, fromA, 'markers').jobId,
    judge: async () => await unlessAlone(['ab']),
  },
  'a change': {
    make: async () => await putAll('a/'),
    begin: () => rig.operations.change(here, fromA, { contentType: 'text/x-test' }).jobId,
    judge: async () => {
      const wrong = await wrongAt('a/');
      for (const key of namesAt('a/')) {
        const { contentType, metadata } = await rig.client.headObject({ bucket: rig.bucket, key });
        if (contentType !== 'text/x-test' || metadata['colour'] !== 'blue')
          wrong.push(`${key} is ${contentType}`);
      }
      return wrong;
    },
  },
};

/** Returns the points at which to kill: many at the beginning, where the job is created, and fewer later. */
function pointsOf(last: number): readonly number[] {
  const points: number[] = [];
  for (let point = 3; point <= Math.min(last, 120); point += point < 12 ? 3 : 11) points.push(point);
  return points;
}

describe.each(sampleOf(Object.keys(conditionQuirks), 3))('on a service with %s', (manner) => {
  test.each(Object.keys(kinds))(
    '%s that is killed at any point is resumed to its end',
    { timeout: 300_000 },
    async (name) => {
      const kind = kinds[name];
      if (kind === undefined) throw new Error('There is no such kind.');
      const wrong: string[] = [];
      const points = await killedAtPoints({ points: pointsOf, few: 3 }, async (point) => {
        await rig.reset();
        // Alternates between handling items together, as for many items, and each item alone.
        rig.togetherFrom = (point ?? 0) % 2 === 0 ? 1 : 20;
        await kind.make();
        Object.assign(rig.service.quirks, conditionQuirks[manner]);
        const died = await killAt(rig, point, kind.begin);
        const job = rig.uploads.jobs.job(died.jobId);
        if (job?.state !== 'done')
          wrong.push(`${String(point)}: ${JSON.stringify(job)} ${JSON.stringify(rig.items(died.jobId))}`);
        wrong.push(...(await kind.judge()).map((line) => `${String(point)}: ${line}`));
        return died.points;
      });
      expect(wrong).toEqual([]);
      expect(points).toBeGreaterThan(8);
    },
  );

  test('a cancelled move is undone', async () => {
    await putAll('a/');
    Object.assign(rig.service.quirks, conditionQuirks[manner]);
    // All other items are copied; the job waits for one decision.
    await rig.put('b/small', Buffer.from('in the way'));
    const jobId = copy(true, 'c');
    expect(await rig.settle(jobId)).toMatchObject({ reason: 'conflicts' });
    rig.uploads.jobs.send(jobId, { kind: 'cancel' });
    expect(await rig.settle(jobId)).toMatchObject({ state: 'cancelled' });
    expect(await wrongAt('a/')).toEqual([]);
    expect(await rig.keys()).toEqual([...namesAt('a/'), 'b/small']);
  });

  test('a download whose object is overwritten between two pieces contains one version completely', async () => {
    const [before, after] = [bytesOf(4 * pieceBytes + 1, 8), bytesOf(4 * pieceBytes + 1, 9)];
    await rig.put('one', before);
    Object.assign(rig.service.quirks, conditionQuirks[manner]);
    let asked = 0;
    rig.wrapClient = (client) => ({
      ...client,
      getObject: async (input, options) => {
        asked += 1;
        if (asked === 3) await rig.put('one', after);
        return await client.getObject(input, options);
      },
    });
    const job = await rig.settle(await rig.download([{ kind: 'key', key: 'one' }]));
    expect(job).toMatchObject({ state: 'done' });
    expect(treeOf(rig.fetchDir).get('one')?.bytes?.equals(after)).toBe(true);
  });

  test('a copy in parts whose source is overwritten between two parts contains the new source', async () => {
    const size = 4 * copyBytes;
    const [before, after] = [bytesOf(size, 8), bytesOf(size, 9)];
    await rig.put('a/one', before);
    Object.assign(rig.service.quirks, conditionQuirks[manner]);
    let asked = 0;
    rig.wrapClient = (client) => ({
      ...client,
      uploadPartCopy: async (input, options) => {
        asked += 1;
        if (asked === 2) await rig.put('a/one', after);
        return await client.uploadPartCopy(input, options);
      },
    });
    expect(await rig.settle(copy(false, 'c'))).toMatchObject({ state: 'done' });
    expect((await rig.object('b/one'))?.equals(after)).toBe(true);
  });

  test.each([1, 20])(
    'a move keeps a concurrent write to its source before any request except the deletion (together from %i)',
    { timeout: 120_000 },
    async (togetherFrom) => {
      const lost: string[] = [];
      let requests = 1;
      for (let nth = 1; nth <= requests; nth += 1) {
        await rig.reset();
        rig.togetherFrom = togetherFrom;
        await rig.restart();
        await rig.put('a/one', bytesOf(900, 1));
        Object.assign(rig.service.quirks, conditionQuirks[manner]);
        const fresh = bytesOf(900, 2);
        const asked: string[] = [];
        const before = async (name: string): Promise<void> => {
          asked.push(name);
          if (asked.length === nth) await rig.put('a/one', fresh);
        };
        rig.wrapClient = (client) => ({
          ...client,
          headObject: async (input, options) => {
            await before('headObject');
            return await client.headObject(input, options);
          },
          listObjects: async (input, options) => {
            await before('listObjects');
            return await client.listObjects(input, options);
          },
          copyObject: async (input, options) => {
            await before('copyObject');
            return await client.copyObject(input, options);
          },
        });
        await rig.settle(copy(true, 'c'));
        const left = await Promise.all(['a/one', 'b/one'].map(async (key) => await rig.object(key)));
        if (asked.length >= nth && !left.some((bytes) => bytes?.equals(fresh) === true))
          lost.push(`before request ${String(nth)} of ${asked.join(', ')}`);
        requests = Math.max(requests, asked.length);
      }
      expect(lost).toEqual([]);
      expect(requests).toBeGreaterThan(4);
    },
  );

  test('a concurrent write to the target after the last check is not overwritten', async () => {
    rig.file('one', Buffer.from('mine'));
    Object.assign(rig.service.quirks, conditionQuirks[manner]);
    rig.writtenBefore('headObject', 'one', Buffer.from('theirs'));
    const job = await rig.settle(await rig.upload([path.join(rig.sendDir, 'one')]));
    expect(job).toMatchObject({ reason: 'conflicts' });
    expect((await rig.object('one'))?.toString()).toBe('theirs');
  });
});
