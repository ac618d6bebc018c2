import { afterAll, beforeAll, expect, test } from 'vitest';
import { TransferRig } from '../../support/transfers-rig.ts';
import { playOperation } from '../../torture/operations.ts';

let rig: TransferRig;
beforeAll(async () => {
  rig = await TransferRig.start({ timeouts: { firstByteMs: 500, inactivityMs: 500 } });
});
afterAll(async () => {
  await rig.close();
});

test.each([0, 1])(
  'killed between any two writes and any two requests, no move loses its source and no deletion takes what was not chosen (%i of 2)',
  { timeout: 180_000 },
  async (part) => {
    const wrong: string[] = [];
    for (let index = 0; index < 30; index += 1) {
      const report = await playOperation(rig, 2_000_000 + part * 30 + index);
      if (report.wrong.length > 0)
        wrong.push(`seed ${report.seed}, ${report.what}, ${report.kills} kills: ${report.wrong.join('; ')}`);
    }
    expect(wrong).toEqual([]);
  },
);
