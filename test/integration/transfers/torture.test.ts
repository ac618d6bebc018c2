import { afterAll, beforeAll, expect, test } from 'vitest';
import { TransferRig } from '../../support/transfers-rig.ts';
import { playTransfer } from '../../torture/transfers.ts';

let rig: TransferRig;
beforeAll(async () => {
  rig = await TransferRig.start({ timeouts: { firstByteMs: 500, inactivityMs: 500 } });
});
afterAll(async () => {
  await rig.close();
});

test(
  'whatever happens to an upload or a download, nothing half or foreign is under a name, and what stood there stands',
  { timeout: 180_000 },
  async () => {
    const wrong: string[] = [];
    for (let seed = 3_000_000; seed < 3_000_050; seed += 1) {
      const report = await playTransfer(rig, seed);
      if (report.wrong.length > 0)
        wrong.push(`seed ${report.seed}, ${report.what}, ${report.kills} kills: ${report.wrong.join('; ')}`);
    }
    expect(wrong).toEqual([]);
  },
);
