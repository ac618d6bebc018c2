import { afterEach, expect, test } from 'vitest';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import type { TransferRig } from '../../support/core/transfers-rig.ts';

/** Tests a proxy that responds to a PUT with 200 and an empty body, although the service never got or refused it. */
let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});
afterEach(async () => {
  await rig.reset();
});

test('a file whose PUT stored nothing is sent again', async () => {
  rig.service.faults.add({ operation: 'PutObject', times: 1, action: { kind: 'ok-empty', apply: false } });
  const job = await rig.settle(await rig.upload([rig.file('small', Buffer.from('content'))]));
  expect(job).toMatchObject({ state: 'done', items: { done: 1 } });
  expect((await rig.object('small'))?.toString()).toBe('content');
});

test('a file whose PUTs never store anything is not done', async () => {
  rig.service.faults.add({
    operation: 'PutObject',
    times: Infinity,
    action: { kind: 'ok-empty', apply: false },
  });
  const job = await rig.settle(await rig.upload([rig.file('small', Buffer.from('content'))]));
  expect(job).toMatchObject({ state: 'needs-attention', items: { done: 0 } });
});
