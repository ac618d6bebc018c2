import { parseArgs } from 'node:util';
import { Rig } from '../support/uploads-rig.ts';
import { TransferRig } from '../support/transfers-rig.ts';
import { playOperation } from './operations.ts';
import { playSchedule, type Report } from './schedule.ts';
import { playTransfer } from './transfers.ts';

/** npm run torture -- --seconds N --seed S: kills, faults and other people's hands, by chance, for so long. */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000_000)) },
  },
});
const seconds = Number(values.seconds);
const firstSeed = Number(values.seed);
if (!(seconds > 0) || !Number.isSafeInteger(firstSeed)) {
  console.error('Usage: npm run torture -- --seconds 600 --seed 12345');
  process.exit(2);
}
console.log(
  `Seed ${firstSeed}, for ${seconds} s. The same schedule again: --seed <the seed named beside it> --seconds 1`,
);

const until = Date.now() + seconds * 1000;
const rig = await Rig.start({ timeouts: { firstByteMs: 500, inactivityMs: 500 } });
const transfers = await TransferRig.start({ timeouts: { firstByteMs: 500, inactivityMs: 500 } });
const ends = new Map<string, number>();
const failed: Report[] = [];
let runs = 0;
let kills = 0;
let faults = 0;
for (let seed = firstSeed; Date.now() < until; seed += 1) {
  const report = await play(seed);
  runs += 1;
  kills += report.kills;
  faults += report.faults;
  ends.set(report.end, (ends.get(report.end) ?? 0) + 1);
  if (report.wrong.length > 0) {
    failed.push(report);
    console.log(
      `seed ${seed}: ${report.what}; ${report.kills} kills, ${report.faults} faults; ${report.end}`,
    );
    for (const line of report.wrong) console.log(`  WRONG: ${line}`);
  }
}
await rig.close();
await transfers.close();

/** By turns: a stalled upload; a copy, a move or a deletion on the service; an upload or a download. */
async function play(seed: number): Promise<Report> {
  if (seed % 3 === 0) return await playSchedule(rig, seed);
  return seed % 3 === 1 ? await playOperation(transfers, seed) : await playTransfer(transfers, seed);
}

console.log(`${runs} schedules, ${kills} kills, ${faults} faults planned.`);
for (const [end, count] of [...ends].toSorted((left, right) => right[1] - left[1]))
  console.log(`  ${count} × ${end}`);
console.log(
  failed.length === 0
    ? 'All held.'
    : `${failed.length} schedules went wrong: ${failed.map((one) => one.seed).join(', ')}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
