import { expect, test } from 'vitest';
import { Chance } from '../../torture/chance.ts';
import { playOperation } from '../../torture/operations.ts';
import { playStalledUpload } from '../../torture/stalled-uploads.ts';
import { startSetup } from '../../torture/setup.ts';
import { playTransfer } from '../../torture/transfers.ts';
import { servicePlans } from '../../support/lab-service/service-plans.ts';
import { runs, sampleOf } from '../../support/sample.ts';

/** The plans that list uploads, which the verdict on a schedule needs. */
const plans = servicePlans.filter(({ lacks }) => lacks === undefined);

/** A short torture on each kind of service; `npm run torture -- --plan NAME` is the long one. */
test.each(sampleOf(plans, 1).map((plan) => [plan.name, plan] as const))(
  'jobs that are killed on a failing network lose nothing on %s',
  { timeout: 180_000 },
  async (_name, plan) => {
    let faultChance = new Chance(0);
    const setup = await startSetup(
      'embedded',
      () => faultChance.fraction(),
      { firstByteMs: 500, inactivityMs: 500 },
      plan,
    );
    const wrong: string[] = [];
    for (const [at, play] of [playOperation, playTransfer, playStalledUpload].entries())
      for (let seed = 5_000_000 + at * 10; seed < 5_000_000 + at * 10 + runs(2); seed += 1) {
        faultChance = new Chance(seed + 1);
        const report = await play(setup, seed);
        wrong.push(...report.wrong.map((line) => `seed ${seed}, ${report.description}: ${line}`));
      }
    await setup.close();
    expect(wrong).toEqual([]);
  },
);
