import { statSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import type { TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf } from '../../support/core/uploads-rig.ts';

let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});

test.runIf(process.platform !== 'win32').each([
  ['022', '644'],
  ['027', '640'],
  ['077', '600'],
])('with umask %s downloaded files have mode %s', async (umask, mode) => {
  const before = process.umask(Number.parseInt(umask, 8));
  onTestFinished(() => void process.umask(before));
  await rig.put('small', bytesOf(10, 1));
  await rig.put('large', bytesOf(3_000_000, 2));
  await rig.settle(await rig.download([{ kind: 'prefix', prefix: '' }]));
  for (const name of ['small', 'large'])
    expect((statSync(path.join(rig.fetchDir, name)).mode & 0o777).toString(8)).toBe(mode);
});
