import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Chance } from '../../torture/chance.ts';
import { playKilled } from '../../torture/killed.ts';
import { playOperation } from '../../torture/operations.ts';
import { playStalledUpload, type Report } from '../../torture/stalled-uploads.ts';
import { startSetup, type Setup } from '../../torture/setup.ts';
import { playTransfer } from '../../torture/transfers.ts';
import { runs, sampleOf } from '../../support/sample.ts';

/**
 * A short sample of the torture, always the same, and a shorter one in `npm test`. `npm run torture` uses other seeds and real
 * servers.
 */
let faultChance = new Chance(0);
const parts = sampleOf([0, 1], 1);
let setup: Setup;
beforeAll(async () => {
  setup = await startSetup('embedded', () => faultChance.fraction(), { firstByteMs: 500, inactivityMs: 500 });
});
afterAll(async () => {
  await setup.close();
});

async function wrongIn(
  play: (setup: Setup, seed: number) => Promise<Report>,
  firstSeed: number,
  count: number,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    faultChance = new Chance(seed + 1);
    const report = await play(setup, seed);
    if (report.wrong.length > 0)
      wrong.push(`seed ${seed}, ${report.description}, ${report.kills} kills: ${report.wrong.join('; ')}`);
  }
  return wrong;
}

describe('killed between any writes and requests on a failing network,', { timeout: 180_000 }, () => {
  test.each(parts)('a stalled upload ends correctly (%i of 2)', async (part) => {
    expect(await wrongIn(playStalledUpload, 1_000_000 + part * 15, runs(15))).toEqual([]);
  });

  test.each(parts)(
    'no move loses its source and no deletion removes anything else (%i of 2)',
    async (part) => {
      expect(await wrongIn(playOperation, 2_000_000 + part * 8, runs(8))).toEqual([]);
    },
  );

  test.each(parts)('transferred files are complete and nothing else changes (%i of 2)', async (part) => {
    expect(await wrongIn(playTransfer, 3_000_000 + part * 8, runs(8))).toEqual([]);
  });

  test('several jobs at once end correctly', async () => {
    expect(await wrongIn(playKilled, 4_000_005, 1)).toEqual([]);
  });
});
