import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import type { TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf } from '../../support/core/uploads-rig.ts';

let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});

const bytes = bytesOf(40, 1);
const inHome = (name: string): string => path.join(rig.fetchDir, name);

async function fill(): Promise<void> {
  rig.home = rig.fetchDir;
  await rig.restart();
  for (const key of ['site/.bashrc', 'site/.ssh/authorized_keys', 'site/a.txt', 'site/b/.git']) {
    await rig.put(key, bytes);
  }
}

test.each(['ask', 'overwrite', 'rename', 'skip'] as const)(
  'hidden files are confirmed before they are saved to the home folder, whatever the policy (%s)',
  async (policy) => {
    await fill();
    const jobId = await rig.download([{ kind: 'prefix', prefix: 'site/' }], policy, 'site/');
    expect(await rig.settle(jobId)).toMatchObject({
      state: 'needs-attention',
      reason: 'hidden-files',
      items: { asking: 2, done: 2 },
    });
    const asking = rig.items(jobId).filter(({ state }) => state === 'asking');
    expect(asking).toMatchObject([
      { localName: '.bashrc', note: 'hidden-in-home', target: null },
      { localName: '.ssh/authorized_keys', note: 'hidden-in-home', target: null },
    ]);
    expect(existsSync(inHome('.bashrc'))).toBe(false);
    expect(existsSync(inHome('.ssh'))).toBe(false);
    expect(readFileSync(inHome('b/.git'))).toEqual(bytes);
    rig.transfers.answer(jobId, [
      { seq: asking[0]?.seq ?? -1, action: 'skip' },
      { seq: asking[1]?.seq ?? -1, action: 'overwrite' },
    ]);
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
    expect(existsSync(inHome('.bashrc'))).toBe(false);
    expect(readFileSync(inHome('.ssh/authorized_keys'))).toEqual(bytes);
  },
);

test('confirming all existing files does not confirm hidden ones', async () => {
  await fill();
  writeFileSync(inHome('a.txt'), 'mine');
  writeFileSync(inHome('.bashrc'), 'mine too');
  const jobId = await rig.download([{ kind: 'prefix', prefix: 'site/' }], 'ask', 'site/');
  expect(await rig.settle(jobId)).toMatchObject({ items: { asking: 3 } });
  rig.transfers.answer(jobId, [{ seq: null, action: 'overwrite' }]);
  expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention', items: { asking: 2, done: 2 } });
  expect(readFileSync(inHome('a.txt'))).toEqual(bytes);
  expect(readFileSync(inHome('.bashrc'), 'utf8')).toBe('mine too');
  expect(rig.items(jobId).find(({ localName }) => localName === '.bashrc')).toMatchObject({
    state: 'asking',
    target: { sizeBytes: 8 },
  });
});

test('a hidden file chosen by key, or saved to another folder, needs no confirmation', async () => {
  await fill();
  const chosen = await rig.download([{ kind: 'key', key: 'site/.bashrc' }], 'ask', 'site/');
  expect(await rig.settle(chosen)).toMatchObject({ state: 'done' });
  expect(readFileSync(inHome('.bashrc'))).toEqual(bytes);
  rig.home = rig.sendDir;
  await rig.restart();
  const elsewhere = await rig.download([{ kind: 'prefix', prefix: 'site/' }], 'ask', 'site/');
  expect(await rig.settle(elsewhere)).toMatchObject({ state: 'done' });
});
