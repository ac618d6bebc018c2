import { scriptFlags } from '../../build/scripts/script-flags.ts';
import { servicePlans } from '../support/lab-service/service-plans.ts';
import { Chance } from './chance.ts';
import { appendFigures, readFigures, sumOfFigures } from './figures.ts';
import type { Report } from './stalled-uploads.ts';
import { serverNames, startSetup } from './setup.ts';
import { playAny } from './any-schedule.ts';

/**
 * npm run torture -- --seconds N --seed S --server embedded|ceph|swift --plan NAME --figures FILE: plays random schedules of kills,
 * faults and changes by other clients for N seconds. Appends figures to FILE each half minute; several processes may share it.
 */
/** The plans that list uploads, which the verdict on a schedule needs. */
const plans = servicePlans.filter(({ lacks }) => lacks === undefined);
const usage = `Usage: npm run torture -- --seconds 600 --seed 12345 --server ${serverNames.join('|')} --plan NAME --figures FILE
Plans:
${plans.map(({ name }) => `  ${name}`).join('\n')}`;
const { values } = scriptFlags(
  { usage },
  {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000_000)) },
    server: { type: 'string', default: 'embedded' },
    plan: { type: 'string' },
    figures: { type: 'string' },
  },
);
const seconds = Number(values.seconds);
const firstSeed = Number(values.seed);
const server = serverNames.find((name) => name === values.server);
const plan = values.plan === undefined ? null : plans.find(({ name }) => name === values.plan);
if (plan === undefined || !(seconds > 0) || !Number.isSafeInteger(firstSeed) || server === undefined) {
  console.error(usage);
  process.exit(2);
}
console.log(
  `Seed ${firstSeed}, ${server}, for ${seconds} s. The same schedule again: --server ${server} --seed <the seed named beside it> --seconds 1`,
);

let faultChance = new Chance(firstSeed);
// Real servers respond more slowly than the service in this process.
const silenceMs = server === 'embedded' ? 500 : 3000;
const setup = await startSetup(
  server,
  () => faultChance.fraction(),
  { firstByteMs: silenceMs, inactivityMs: silenceMs },
  plan,
);
const until = Date.now() + seconds * 1000;
const ends = new Map<string, number>();
const nothing = { server, schedules: 0, kills: 0, faults: 0, wrong: [] as readonly number[] };
let all = nothing;
let unwritten = nothing;
let writtenMs = Date.now();
for (let seed = firstSeed; Date.now() < until; seed += 1) {
  faultChance = new Chance(seed + 1);
  const report = await playAny(setup, seed);
  all = withReport(all, report);
  unwritten = withReport(unwritten, report);
  ends.set(report.end, (ends.get(report.end) ?? 0) + 1);
  if (report.wrong.length > 0) {
    console.log(
      `seed ${seed}: ${report.description}; ${report.kills} kills, ${report.faults} faults; ${report.end}`,
    );
    for (const line of report.wrong) console.log(`  WRONG: ${line}`);
  }
  if (Date.now() - writtenMs > 30_000) write();
}
write();
await setup.close();

function withReport(figures: typeof nothing, report: Report): typeof nothing {
  return {
    server: figures.server,
    schedules: figures.schedules + 1,
    kills: figures.kills + report.kills,
    faults: figures.faults + report.faults,
    wrong: report.wrong.length === 0 ? figures.wrong : [...figures.wrong, report.seed],
  };
}

function write(): void {
  if (values.figures !== undefined && unwritten.schedules > 0)
    appendFigures(values.figures, unwritten, Date.now());
  unwritten = nothing;
  writtenMs = Date.now();
}

console.log(sumOfFigures([all])[0]);
for (const [end, count] of [...ends].toSorted((left, right) => right[1] - left[1]))
  console.log(`  ${count} × ${end}`);
for (const [kind, count] of setup.proxy.played) console.log(`  ${count} × ${kind} played`);
if (values.figures !== undefined) {
  console.log(`${values.figures}:`);
  for (const line of sumOfFigures(readFigures(values.figures))) console.log(`  ${line}`);
}
console.log(
  all.wrong.length === 0 ? 'All held.' : `${all.wrong.length} schedules went wrong: ${all.wrong.join(', ')}`,
);
// Open handles of an unfinished job would keep the process alive.
process.exit(all.wrong.length === 0 ? 0 : 1);
