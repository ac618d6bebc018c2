import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { fenceOff } from '../../../electron/core/disk/fence.ts';
import type { Hasher } from '../../../electron/core/disk/hash-pool.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { makePlan, runPlan } from '../../support/core/sync-rig.ts';
import type { TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB } from '../../support/core/uploads-rig.ts';

let rig: TransferRig;
let endFences: readonly (() => void)[];
const dataName = 'Library2/Application Support/Cooper';
const sentData = (): string => path.join(rig.sendDir, dataName);
const fetchedData = (): string => path.join(rig.fetchDir, dataName);
const outside = (): string => path.join(rig.dir, 'outside');

function fill(): void {
  for (const dataDir of [sentData(), fetchedData()]) {
    mkdirSync(path.join(dataDir, 'sample-files'), { recursive: true });
    for (const name of ['secrets.json', 'keys.json', 'cooper.db'])
      writeFileSync(path.join(dataDir, name), `secret ${name}`);
    writeFileSync(path.join(dataDir, 'sample-files', 'sample.txt'), 'sample');
  }
  rmSync(outside(), { recursive: true, force: true });
  mkdirSync(outside());
  writeFileSync(path.join(outside(), 'id_rsa'), 'secret key');
}

rigOfFile((started) => {
  rig = started;
  fill();
  endFences = [sentData(), fetchedData()].map((dataDir) => fenceOff(dataDir, ['sample-files']));
});
beforeEach(fill);
afterAll(() => {
  for (const end of endFences) end();
});

function notesOf(jobId: string): readonly string[] {
  return rig.transfers
    .items(jobId, 'all', 0, 100)
    .items.filter(({ note }) => note !== null)
    .map(({ localName, state, note }) => `${localName} ${state} ${note}`);
}

async function bucketHolds(text: string): Promise<boolean> {
  for (const key of await rig.keys())
    if ((await rig.object(key))?.toString().includes(text) === true) return true;
  return false;
}

/** Runs `change` once the job is on disk. */
function onceSubmitted(change: () => void): void {
  rig.storeHooks = {
    onTransaction: (when) => {
      if (when === 'before') return;
      rig.storeHooks = {};
      change();
    },
  };
}

/** Runs `change` right before the job opens its first file, after the file was listed and checked. */
function onceRead(change: () => void): void {
  const changing =
    <A extends unknown[], R>(work: (...given: A) => R) =>
    (...given: A): R => {
      vi.restoreAllMocks();
      change();
      return work(...given);
    };
  const { hasher } = rig;
  const original = { ...hasher };
  const readFile: Hasher['readFile'] = (...given) => original.readFile(...given);
  const hash: Hasher['hash'] = (...given) => original.hash(...given);
  vi.spyOn(hasher, 'readFile').mockImplementation(changing(readFile));
  vi.spyOn(hasher, 'hash').mockImplementation(changing(hash));
}

describe('the data folder', () => {
  test('is left out of an upload of any folder above it', async () => {
    rig.file('Library2/mine.txt', bytesOf(10, 1));
    for (const chosen of [rig.sendDir, path.join(rig.sendDir, 'Library2')]) {
      const jobId = await rig.upload([chosen]);
      expect(await rig.settle(jobId)).toMatchObject({
        state: 'done',
        items: { total: 2, done: 1, skipped: 1 },
      });
      expect(notesOf(jobId)).toEqual(['Cooper skipped own-data']);
    }
    expect(await bucketHolds('secret')).toBe(false);
  });

  test.each(['', 'secrets.json', 'cooper.db'])('is not uploaded when chosen directly: %s', async (name) => {
    const jobId = await rig.upload([path.join(sentData(), name)], { takesLinksOut: true });
    await rig.settle(jobId);
    expect(await rig.keys()).toEqual([]);
  });

  test('is not uploaded through a link, however links are handled', async () => {
    symlinkSync(sentData(), path.join(rig.sendDir, 'data'));
    symlinkSync(path.join(sentData(), 'secrets.json'), path.join(rig.sendDir, 'file'));
    symlinkSync('Library2', path.join(rig.sendDir, 'above'));
    for (const takesLinksOut of [false, true]) {
      const jobId = await rig.upload([rig.sendDir], { takesLinksOut });
      await rig.settle(jobId);
      const notes = notesOf(jobId);
      expect(notes).toContain('data skipped own-data');
      expect(notes).toContain('file skipped own-data');
    }
    expect(await bucketHolds('secret')).toBe(false);
  });

  test('is not uploaded by a hard link to one of its files', async () => {
    linkSync(path.join(sentData(), 'secrets.json'), path.join(rig.sendDir, 'innocent.txt'));
    const jobId = await rig.upload([path.join(rig.sendDir, 'innocent.txt')]);
    await rig.settle(jobId);
    expect(rig.items(jobId)).toMatchObject([{ state: 'failed', error: { reason: 'own-data' } }]);
    expect(await rig.keys()).toEqual([]);
  });

  test('is not read by a multipart upload whose file became a link to it', async () => {
    const large = rig.file('large.bin', bytesOf(400 * KiB, 1));
    onceRead(() => {
      rmSync(large);
      symlinkSync(path.join(sentData(), 'cooper.db'), large);
      writeFileSync(
        path.join(sentData(), 'cooper.db'),
        Buffer.concat([Buffer.from('secret'), bytesOf(400 * KiB, 2)]),
      );
    });
    const jobId = await rig.upload([large], { takesLinksOut: true });
    await rig.settle(jobId);
    expect(await bucketHolds('secret')).toBe(false);
    expect(rig.items(jobId)).toMatchObject([{ state: 'failed' }]);
  });

  test('is in no sync plan in either direction, and neither side of it changes', async () => {
    rig.file('Library2/mine.txt', bytesOf(10, 1));
    await rig.put(`${dataName}/secrets.json`, Buffer.from('from the bucket'));
    await rig.put(`${dataName}/new.txt`, Buffer.from('from the bucket'));
    const up = await makePlan(rig, 'up', rig.sendDir, '', 'hash');
    expect(up.changes).toEqual([
      `skipped ${dataName}/ own-data`,
      `skipped ${dataName}/new.txt own-data`,
      `skipped ${dataName}/secrets.json own-data`,
      'copy Library2/mine.txt',
    ]);
    await runPlan(rig, up, true);
    const down = await makePlan(rig, 'down', rig.fetchDir, '', 'hash');
    expect(down.changes.filter((change) => !change.startsWith('skipped'))).toEqual([
      'copy Library2/mine.txt',
    ]);
    await runPlan(rig, down, true);
    for (const dataDir of [sentData(), fetchedData()])
      expect(readFileSync(path.join(dataDir, 'secrets.json'), 'utf8')).toBe('secret secrets.json');
    expect(await rig.object(`${dataName}/secrets.json`)).toEqual(Buffer.from('from the bucket'));
  });

  test.each(['ask', 'overwrite', 'rename'] as const)(
    'is not overwritten by a download into a folder above it (%s)',
    async (policy) => {
      for (const name of ['secrets.json', 'new.json', 'edits/x/edit.json', 'large.bin'])
        await rig.put(`${dataName}/${name}`, bytesOf(name === 'large.bin' ? 3000 * KiB : 20, 1));
      const jobId = await rig.download([{ kind: 'prefix', prefix: '' }], policy);
      await rig.settle(jobId);
      expect(rig.items(jobId).map(({ state, error }) => `${state} ${error?.reason}`)).toEqual(
        Array.from({ length: 4 }, () => 'failed own-data'),
      );
      expect(readFileSync(path.join(fetchedData(), 'secrets.json'), 'utf8')).toBe('secret secrets.json');
    },
  );

  test('is not overwritten by a download into it or into a link to it', async () => {
    await rig.put('secrets.json', bytesOf(20, 1));
    const link = path.join(rig.fetchDir, 'link');
    symlinkSync(fetchedData(), link);
    for (const folderHandle of [fetchedData(), link]) {
      const { jobId } = await rig.transfers.download({
        connectionId: 'c',
        bucket: rig.bucket,
        basePrefix: '',
        items: [{ kind: 'key', key: 'secrets.json' }],
        folderHandle,
        options: { onConflict: 'overwrite' },
      });
      await rig.settle(jobId);
      expect(readFileSync(path.join(fetchedData(), 'secrets.json'), 'utf8')).toBe('secret secrets.json');
    }
  });
});

describe('the links in an uploaded folder', () => {
  test('are followed inside it, and skipped with a note if they lead out', async () => {
    rig.file('tree/a.txt', bytesOf(10, 1));
    rig.file('tree/sub/b.txt', bytesOf(10, 2));
    const tree = path.join(rig.sendDir, 'tree');
    symlinkSync('a.txt', path.join(tree, 'in-file'));
    symlinkSync('sub', path.join(tree, 'in-folder'));
    symlinkSync(path.join(outside(), 'id_rsa'), path.join(tree, 'id'));
    symlinkSync(outside(), path.join(tree, 'sub', 'away'));
    const jobId = await rig.upload([tree]);
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done', items: { done: 4, skipped: 3 } });
    expect(notesOf(jobId).toSorted()).toEqual([
      'away skipped link-outside',
      'away skipped link-outside',
      'id skipped link-outside',
    ]);
    expect(await rig.keys()).toEqual([
      'tree/a.txt',
      'tree/in-file',
      'tree/in-folder/b.txt',
      'tree/sub/b.txt',
    ]);
  });

  test('are followed out of it only if requested', async () => {
    const tree = path.join(rig.sendDir, 'tree');
    mkdirSync(tree);
    symlinkSync(outside(), path.join(tree, 'away'));
    symlinkSync(path.join(outside(), 'id_rsa'), path.join(tree, 'id'));
    await rig.settle(await rig.upload([tree], { takesLinksOut: true }));
    expect(await rig.keys()).toEqual(['tree/away/id_rsa', 'tree/id']);
  });

  test('are in the plan of an upload sync, which follows them out only if requested', async () => {
    const tree = path.join(rig.sendDir, 'tree');
    mkdirSync(tree);
    symlinkSync(outside(), path.join(tree, 'away'));
    symlinkSync(path.join(outside(), 'id_rsa'), path.join(tree, 'id'));
    await rig.put('away/other', bytesOf(1, 1));
    const plan = await makePlan(rig, 'up', tree, '');
    expect(plan.changes).toEqual([
      'skipped away/ link-outside',
      'skipped away/other link-outside',
      'skipped id link-outside',
    ]);
    await runPlan(rig, plan, true);
    expect(await rig.keys()).toEqual(['away/other']);
    await runPlan(rig, await makePlan(rig, 'up', tree, '', 'hash', true), false);
    expect(await rig.keys()).toEqual(['away/id_rsa', 'away/other', 'id']);
  });

  test('do not make the upload endless if folders link to each other', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `f${index}`);
    for (const name of names) rig.file(`tree/${name}/file`, bytesOf(1, 1));
    for (const name of names)
      for (const other of names)
        if (other !== name) symlinkSync(`../${other}`, path.join(rig.sendDir, 'tree', name, `to-${other}`));
    const jobId = await rig.upload([path.join(rig.sendDir, 'tree')]);
    const { items } = await rig.settle(jobId);
    expect(items?.total).toBeLessThan(5000);
    expect((await rig.keys()).filter((key) => key.split('/').length === 3)).toHaveLength(names.length);
  }, 60_000);
});

describe('an item replaced after it was listed', () => {
  test.each([1, 400])(
    'is not sent if it is a file of %i KiB that became a link out of the folder',
    async (size) => {
      const file = rig.file('tree/a.bin', bytesOf(size * KiB, 1));
      writeFileSync(
        path.join(outside(), 'other'),
        Buffer.concat([Buffer.from('secret'), bytesOf(size * KiB, 2)]),
      );
      onceRead(() => {
        rmSync(file);
        symlinkSync(path.join(outside(), 'other'), file);
      });
      const jobId = await rig.upload([path.join(rig.sendDir, 'tree')]);
      await rig.settle(jobId);
      // With several parts, another part may be the first to notice that the file has changed.
      expect(['link-outside', 'file-changed']).toContain(rig.items(jobId)[0]?.error?.reason);
      expect(await rig.keys()).toEqual([]);
    },
  );

  test('is not read if it is a folder that became a link out of it', async () => {
    rig.file('tree/sub/id_rsa', bytesOf(10, 1));
    const sub = path.join(rig.sendDir, 'tree', 'sub');
    onceRead(() => {
      renameSync(sub, `${sub}-before`);
      symlinkSync(outside(), sub);
    });
    const jobId = await rig.upload([path.join(rig.sendDir, 'tree')]);
    await rig.settle(jobId);
    expect(await bucketHolds('secret')).toBe(false);
    expect(rig.items(jobId)).toMatchObject([{ state: 'failed', error: { reason: 'link-outside' } }]);
  });

  test('is not sent by a sync if it is a file that became a link out of the folder', async () => {
    const file = rig.file('tree/a.bin', bytesOf(20, 1));
    const plan = await makePlan(rig, 'up', path.join(rig.sendDir, 'tree'), '');
    rmSync(file);
    symlinkSync(path.join(outside(), 'id_rsa'), file);
    const jobId = (await runPlan(rig, plan, false)) ?? '';
    expect(rig.items(jobId)).toMatchObject([{ state: 'failed', error: { reason: 'link-outside' } }]);
    expect(await rig.keys()).toEqual([]);
  });

  test.each([10, 3000 * KiB])(
    'receives no file of %i bytes if it is a target folder that became a link',
    async (size) => {
      await rig.put('sub/a', bytesOf(size, 1));
      await rig.put('sub/b', bytesOf(size, 2));
      let isMoved = false;
      rig.wrapClient = (client) => ({
        ...client,
        getObject: async (ref, options) => {
          const got = await client.getObject(ref, options);
          if (!isMoved) {
            isMoved = true;
            renameSync(path.join(rig.fetchDir, 'sub'), path.join(rig.fetchDir, 'before'));
            symlinkSync(outside(), path.join(rig.fetchDir, 'sub'));
          }
          return got;
        },
      });
      const jobId = await rig.download([{ kind: 'prefix', prefix: '' }]);
      await rig.settle(jobId);
      expect(readdirSync(outside())).toEqual(['id_rsa']);
    },
  );

  test('receives nothing if it is the chosen folder that became a link', async () => {
    await rig.put('a', bytesOf(10, 1));
    onceSubmitted(() => {
      renameSync(rig.fetchDir, `${rig.fetchDir}-before`);
      symlinkSync(outside(), rig.fetchDir);
    });
    const jobId = await rig.download([{ kind: 'prefix', prefix: '' }]);
    try {
      await rig.settle(jobId);
      expect(readdirSync(outside())).toEqual(['id_rsa']);
    } finally {
      rmSync(rig.fetchDir, { force: true });
      renameSync(`${rig.fetchDir}-before`, rig.fetchDir);
    }
  });
});

test('a link in place of a downloaded file is not dragged out', async () => {
  await rig.put('a', bytesOf(10, 1));
  await rig.put('b', bytesOf(10, 1));
  const jobId = await rig.download([{ kind: 'prefix', prefix: '' }]);
  await rig.settle(jobId);
  rmSync(path.join(rig.fetchDir, 'a'));
  symlinkSync(path.join(fetchedData(), 'secrets.json'), path.join(rig.fetchDir, 'a'));
  const dragged: (readonly string[])[] = [];
  const results = rig.resultsFor({
    revealInFolder: () => Promise.resolve(),
    startDrag: (files) => Promise.resolve(void dragged.push(files)),
  });
  await results.dragOut(jobId);
  expect(dragged).toEqual([[path.join(rig.fetchDir, 'b')]]);
});
