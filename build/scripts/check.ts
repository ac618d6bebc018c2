import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { shareServers } from '../../test/support/servers/real-server.ts';
import { changedFiles, headCommit, importsOfAll } from './check/change-of-branch.ts';
import {
  readTestSeconds,
  build,
  runConformance,
  runDesktopSuite,
  runEndToEnd,
  runStaticChecks,
  reports,
  runVitest,
} from './check/check-parts.ts';
import { sampleOfSpecs, testsOfChange, testsReaching } from './check/changed-tests.ts';
import { makeScratchFolder } from './scratch-folder.ts';
import { scriptFlags } from './script-flags.ts';
import { lastLine, sumTallies, type Tally } from './check/test-reports.ts';

/**
 * `npm test`: runs every part, even after a failed one, and ends with one line of counts. End-to-end tests, and tests with very
 * many cases, are sampled.
 *
 * `--changed`: tests affected by the changes of this branch, in under a minute; `--since COMMIT` names another base.
 * `--whole`: only the tests that `npm test` samples, with all their cases. `--full`: everything, each test once.
 */
interface Part {
  readonly name: string;
  readonly run: () => Promise<Tally>;
}

const buildPart: Part = { name: 'build', run: build };

/**
 * Time budget for tests in seconds. Together with the source checks (run in parallel with the unit tests) and the start of each
 * runner it stays under a minute.
 */
const changeBudget = { vitestSeconds: 25, specSeconds: 25 } as const;
/** The assumed seconds for a test file that has no recorded time. */
const expectedSeconds = { unit: 1, integration: 10, endToEnd: 20 } as const;

const { values: flags } = scriptFlags(
  {
    usage:
      'Usage: npm test [-- --changed | --since COMMIT | --whole | --full]; CONTRIBUTING.md says what each of them runs.',
  },
  {
    changed: { type: 'boolean', default: false },
    since: { type: 'string' },
    whole: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
  },
);

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const scratch = makeScratchFolder();
process.env['TMPDIR'] = scratch.path;
const wipeServers = shareServers();
process.once('exit', () => {
  wipeServers();
  scratch.remove();
});
// Node's default signal handling ends a process without emitting `exit`.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const tallies: Tally[] = [];
for (const stage of stages()) tallies.push(...(await Promise.all(stage.map(runPart))));
conclude(sumTallies(tallies));

function stages(): readonly (readonly Part[])[] {
  if (flags.changed || flags.since !== undefined) return changedStages();
  if (flags.whole) return wholeStages();
  return allStages({ isWhole: flags.full });
}

/**
 * Returns the stages, which run one after another. The parts of one stage run in parallel, because they share no port and do not
 * all need both cores. With `isWhole`, nothing is sampled.
 */
function allStages({ isWhole }: { readonly isWhole: boolean }): readonly (readonly Part[])[] {
  return [
    [{ name: 'types, lint, format, layers', run: runStaticChecks }, buildPart],
    [
      { name: 'unit, contract and integration tests', run: async () => await runVitest({ isWhole }) },
      { name: 'conformance', run: runConformance },
    ],
    isWhole ? [wholeSpecs()] : [{ name: 'a sample of the end-to-end tests', run: sampledSpecs }],
    [{ name: 'desktop', run: runDesktopSuite }],
  ];
}

async function sampledSpecs(): Promise<Tally> {
  const commit = headCommit();
  console.log(`The sample is drawn by the commit ${commit.slice(0, 8)}.`);
  const files = sampleOfSpecs(allSpecs(), Number.parseInt(commit.slice(0, 8), 16)).map(nameInSuite);
  return await runEndToEnd({ files, isWhole: false });
}

function wholeStages(): readonly (readonly Part[])[] {
  const sampled = testsReaching(['test/support/sample.ts'], importsOfAll());
  const files = sampled.filter((file) => !file.startsWith('test/e2e/'));
  const run = async (): Promise<Tally> => await runVitest({ files, isWhole: true });
  return [partOf(files, { name: 'all cases of sampled tests', run }), [buildPart], [wholeSpecs()]];
}

function wholeSpecs(): Part {
  const files = allSpecs().map(nameInSuite);
  return { name: 'all end-to-end tests', run: async () => await runEndToEnd({ files, isWhole: true }) };
}

function allSpecs(): readonly string[] {
  return [...importsOfAll().keys()].filter((file) => /^test\/e2e\/.*\.spec\.ts$/u.test(file));
}

function changedSpecs(specs: readonly string[]): readonly (readonly Part[])[] {
  const files = specs.map(nameInSuite);
  const run = async (): Promise<Tally> => await runEndToEnd({ files, isWhole: false });
  return [partOf(specs, buildPart), partOf(specs, { name: 'end-to-end tests', run })];
}

/** Returns an empty list if there are no files, because a runner called without files would run all tests. */
function partOf(files: readonly string[], part: Part): readonly Part[] {
  return files.length > 0 ? [part] : [];
}

/** Returns the spec's path relative to the folder of Playwright's configuration. */
function nameInSuite(spec: string): string {
  return spec.replace(/^test\/e2e\//u, '');
}

function changedStages(): readonly (readonly Part[])[] {
  const changed = changedFiles(flags.since);
  if (changed.length === 0) {
    console.log('Nothing was changed.');
    return [];
  }
  const secondsByTest = readTestSeconds();
  const {
    vitest: files,
    specs,
    omittedCount,
  } = testsOfChange(changed, importsOfAll(), {
    budget: changeBudget,
    secondsOf: (test) =>
      secondsByTest[test] ??
      (test.startsWith('test/unit/')
        ? expectedSeconds.unit
        : test.startsWith('test/e2e/')
          ? expectedSeconds.endToEnd
          : expectedSeconds.integration),
  });
  const changeSummary = changed.length === 1 ? changed.join('') : `${String(changed.length)} files`;
  console.log(
    `Changed: ${changeSummary}. Tests: ${[...files, ...specs].map((test) => path.basename(test)).join(', ')}`,
  );
  if (omittedCount > 0)
    console.log(
      `Left for npm run test:full: ${String(omittedCount)} more test files that the change affects.`,
    );
  const staticChecks = {
    name: 'types, lint, format, layers',
    run: async () => await runStaticChecks(changed),
  };
  const run = async (): Promise<Tally> => await runVitest({ files });
  return [
    [staticChecks, ...partOf(files, { name: 'unit, contract and integration tests', run })],
    ...changedSpecs(specs),
  ];
}

async function runPart(part: Part): Promise<Tally> {
  console.log(`\n── ${part.name}`);
  const begunMs = performance.now();
  const tally = await part.run();
  const seconds = ((performance.now() - begunMs) / 1000).toFixed(1);
  console.log(`── ${part.name}: ${lastLine(tally)} (${seconds} s)`);
  return tally;
}

function conclude(total: Tally): void {
  for (const [heading, names] of [
    ['Skipped', total.skipped],
    ['Held at the second try alone; mend it', total.flaky],
    ['Failed', total.failed],
  ] as const) {
    if (names.length === 0) continue;
    console.log(`\n${heading}:`);
    for (const name of names) console.log(`  ${name}`);
  }
  console.log(`\n${lastLine(total)}`);
  process.exitCode = total.failed.length === 0 ? 0 : 1;
}
