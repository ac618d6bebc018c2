import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Chance } from '../../torture/chance.ts';
import { playOperation } from '../../torture/operations.ts';
import { playSchedule, type Report } from '../../torture/schedule.ts';
import { startStand, type Stand } from '../../torture/stand.ts';
import { playTransfer } from '../../torture/transfers.ts';

/** A short sample of the torture, always the same; `npm run torture` goes on with other seeds and on real servers. */
let weather = new Chance(0);
let stand: Stand;
beforeAll(async () => {
  stand = await startStand('embedded', () => weather.fraction(), { firstByteMs: 500, inactivityMs: 500 });
});
afterAll(async () => {
  await stand.close();
});

async function wrongIn(
  play: (stand: Stand, seed: number) => Promise<Report>,
  firstSeed: number,
  count: number,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    weather = new Chance(seed + 1);
    const report = await play(stand, seed);
    if (report.wrong.length > 0)
      wrong.push(`seed ${seed}, ${report.what}, ${report.kills} kills: ${report.wrong.join('; ')}`);
  }
  return wrong;
}

describe(
  'killed between any two writes and any two requests, on a way that fails',
  { timeout: 180_000 },
  () => {
    test.each([0, 1])('a stalled upload ends in the truth (%i of 2)', async (part) => {
      expect(await wrongIn(playSchedule, 1_000_000 + part * 15, 15)).toEqual([]);
    });

    test.each([0, 1])(
      'no move loses its source and no deletion takes what was not chosen (%i of 2)',
      async (part) => {
        expect(await wrongIn(playOperation, 2_000_000 + part * 8, 8)).toEqual([]);
      },
    );

    test.each([0, 1])(
      'what was sent and fetched is whole, and nothing else is touched (%i of 2)',
      async (part) => {
        expect(await wrongIn(playTransfer, 3_000_000 + part * 8, 8)).toEqual([]);
      },
    );
  },
);
