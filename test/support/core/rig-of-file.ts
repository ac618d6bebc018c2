import { afterAll, beforeAll, beforeEach } from 'vitest';
import { TransferRig, type TransferRigOptions } from './transfers-rig.ts';

/** Starts one rig for all tests of a file, and resets it before each test. */
export function rigOfFile(given: (rig: TransferRig) => void, options: TransferRigOptions = {}): void {
  let rig: TransferRig;
  beforeAll(async () => {
    rig = await TransferRig.start(options);
    given(rig);
  });
  afterAll(async () => {
    await rig.close();
  });
  beforeEach(async () => {
    await rig.reset();
  });
}
