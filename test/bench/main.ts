import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { scriptFlags } from '../../build/scripts/script-flags.ts';
import { benchGallery } from './window/gallery.ts';
import { benchListingPage } from './walks/listing-page.ts';
import { mapsBench } from './walks/maps.ts';
import { operationsDeleteBench, operationsMoveBench } from './operations/operations.ts';
import { programBench } from './program/program.ts';
import { compareWith, grownCosts, ratioTable } from './compare.ts';
import { holds, table, type Bench, type Figure } from './report.ts';
import { servicePages } from './service/service-pages.ts';
import { transfersFarBench, transfersLargeBench, transfersSmallBench } from './transfers/transfers.ts';
import { uploadsListBench } from './uploads/uploads-list.ts';
import { uploadsQueueBench } from './uploads/uploads-queue.ts';
import { uploadsResumeBench } from './uploads/uploads-resume.ts';
import { uploadsVerifyBench } from './uploads/uploads-verify.ts';
import { walksBench } from './walks/walks.ts';
import { wholeFolderBench } from './window/whole-folder.ts';
import { benchWindow } from './window/window.ts';

const benches: Readonly<Record<string, Bench>> = {
  gallery: benchGallery,
  'listing-page': benchListingPage,
  maps: mapsBench,
  'operations-delete': operationsDeleteBench,
  'operations-move': operationsMoveBench,
  program: programBench,
  service: servicePages,
  'transfers-far': transfersFarBench,
  'transfers-large': transfersLargeBench,
  'transfers-small': transfersSmallBench,
  'uploads-list': uploadsListBench,
  'uploads-queue': uploadsQueueBench,
  'uploads-resume': uploadsResumeBench,
  'uploads-verify': uploadsVerifyBench,
  walks: walksBench,
  'whole-folder': wholeFolderBench,
  window: benchWindow,
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const out = fileURLToPath(new URL('../../.cache/bench.json', import.meta.url));

/**
 * `npm run bench [-- NAME … [--case CASE …] [--alone]]`: prints the figures as a table, writes them as JSON, and fails if one
 * exceeds its limit. `--alone` leaves out the programs for comparison. `--compare REF` runs this commit and another one
 * alternately and prints the ratios; `--at-most RATIO` then fails if a cost has grown beyond it.
 */
async function main(): Promise<void> {
  const { positionals, values } = scriptFlags(
    {
      usage: `Usage: npm run bench [-- NAME … [--case CASE …] [--alone] [--compare REF [--rounds N] [--at-most RATIO]]]\nNAME: ${Object.keys(benches).join(', ')}`,
      takesNames: true,
    },
    {
      case: { type: 'string', multiple: true, default: [] },
      alone: { type: 'boolean', default: false },
      compare: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      'at-most': { type: 'string', default: 'Infinity' },
    },
  );
  const [rounds, maxRatio] = [Number(values.rounds), Number(values['at-most'])];
  if (!(Number.isInteger(rounds) && rounds > 0 && maxRatio > 0)) {
    console.error('--rounds takes a whole number above 0, and --at-most a number above 0.');
    process.exitCode = 2;
    return;
  }
  const unknown = positionals.filter((name) => !(name in benches));
  if (unknown.length > 0) {
    console.error(`Not a bench: ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  const cases = new Set(values.case);
  const known = positionals.flatMap((name) => benches[name]?.cases ?? []);
  if (values.case.some((name) => !known.includes(name))) {
    console.error(`Cases go with the name of their bench. There are here: ${known.join(', ') || 'none'}.`);
    process.exitCode = 2;
    return;
  }
  if (values.compare !== undefined) {
    const ratios = await compareWith(root, values.compare, positionals, rounds);
    console.log(`This commit over ${values.compare}, median and spread of ${values.rounds} rounds:`);
    console.log(ratioTable(ratios));
    const grown = grownCosts(ratios, maxRatio);
    if (grown.length > 0) {
      console.error(`Grown beyond ${values['at-most']}: ${grown.map(({ name }) => name).join('; ')}`);
      process.exitCode = 1;
    }
    return;
  }
  const figures: Figure[] = [];
  const begunMs = performance.now();
  for (const [name, bench] of Object.entries(benches)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    console.log(`${name} …`);
    const beganMs = performance.now();
    const measured = await bench({ cases, isAlone: values.alone });
    figures.push(...measured);
    console.log(`${table(measured)}\n(${name}: ${((performance.now() - beganMs) / 1000).toFixed(0)} s)\n`);
  }
  if (positionals.length === 0) {
    const suite: Figure = {
      name: 'the whole suite',
      value: (performance.now() - begunMs) / 60_000,
      unit: 'min',
      limit: { kind: 'at-most', value: 15 },
    };
    figures.push(suite);
    console.log(`${table([suite])}\n`);
  }
  await mkdir(fileURLToPath(new URL('.', new URL('../../.cache/bench.json', import.meta.url))), {
    recursive: true,
  });
  await writeFile(out, `${JSON.stringify(figures, null, 2)}\n`);
  console.log(`The figures are in .cache/bench.json.`);
  const missed = figures.filter((figure) => !holds(figure));
  if (missed.length > 0) {
    console.error(`Missed: ${missed.map((figure) => figure.name).join('; ')}`);
    process.exitCode = 1;
  }
}

await main();
