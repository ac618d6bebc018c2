import { existsSync, readFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { buildWhenNeeded } from '../build.ts';
import { desktopTestObstacle, findElectronForTests } from '../electron/electron-binary.ts';
import { writeMessageTypes } from '../message-types.ts';
import { root, runCommand, type Ran } from '../run-command.ts';
import {
  crashedFiles,
  emptyTally,
  playwrightSeconds,
  playwrightTally,
  printedTally,
  sumTallies,
  vitestSeconds,
  vitestTally,
  withSecondRun,
  type Tally,
} from './test-reports.ts';

/** The folder of the runners' reports. */
export const reports = path.join(root, '.cache', 'reports');
/** Prettier's flags for a cache by content. A fresh checkout thus does not check unchanged files. */
const prettierCache = [
  '--cache',
  '--cache-strategy',
  'content',
  '--cache-location',
  path.join(root, '.cache', 'prettier'),
];
/** The environment that makes tests run all their cases instead of a sample (test/support/sample.ts). */
const wholeRunEnv = { COOPER_TEST_WHOLE: '1' };
/**
 * Timeouts in minutes, so that a hanging runner cannot block the others. At least twice the usual duration on two cores, since the
 * cores of shared machines are at times less than half as fast.
 */
const maxMinutes = { vitest: 45, conformance: 30, endToEnd: 65 } as const;

/**
 * Runs the static checks in parallel, because not all of them use every core. Prints the output of each in one piece. `files`
 * limits linting and format checks to these files.
 */
export async function runStaticChecks(files: readonly string[] | null = null): Promise<Tally> {
  const linted = files?.filter((file) => /\.[cm]?[jt]sx?$/u.test(file)) ?? [];
  await writeMessageTypes();
  const all = await Promise.all([
    command('types', 'tsc', ['-b']),
    command('format', 'prettier', [
      '--check',
      '--ignore-unknown',
      '--log-level',
      'warn',
      ...prettierCache,
      ...(files ?? ['.']),
    ]),
    ...(files === null || linted.length > 0
      ? [command('lint', 'oxlint', ['--type-aware', '--deny-warnings', ...linted])]
      : []),
    command('layers', process.execPath, [path.join(root, 'build/scripts/layers.ts')]),
  ]);
  return sumTallies(all);
}

async function command(name: string, program: string, args: readonly string[]): Promise<Tally> {
  const { status } = await runCommand(program, args, { atOnce: true });
  return status === 0 ? { ...emptyTally, passed: 1 } : { ...emptyTally, failed: [name] };
}

export async function build(): Promise<Tally> {
  try {
    await buildWhenNeeded();
    return { ...emptyTally, passed: 1 };
  } catch (thrown) {
    console.error(thrown);
    return { ...emptyTally, failed: ['build'] };
  }
}

interface VitestSelection {
  readonly files?: readonly string[];
  readonly isWhole?: boolean;
}

/** Runs the unit, contract and integration tests, or only `files`. Repeats files whose process crashed once. */
export async function runVitest({ files = [], isWhole = false }: VitestSelection = {}): Promise<Tally> {
  const { crashed, tally } = await runVitestOnce({ files, isWhole }, '');
  if (crashed.length === 0) return tally;
  console.log(`Their process crashed; they are run once more: ${crashed.join(', ')}`);
  return withSecondRun(tally, crashed, (await runVitestOnce({ files: crashed, isWhole }, '-again')).tally);
}

async function runVitestOnce(
  { files, isWhole }: Required<VitestSelection>,
  suffix: string,
): Promise<{ readonly tally: Tally; readonly crashed: readonly string[] }> {
  const report = path.join(reports, `vitest${isWhole ? '-whole' : ''}${suffix}.json`);
  const { status } = await runWithin(
    maxMinutes.vitest,
    'vitest',
    [
      'run',
      '--config',
      'build/vite/vitest.config.ts',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...files,
    ],
    { env: isWhole ? wholeRunEnv : {} },
  );
  let crashed: readonly string[] = [];
  const tally = readTally('vitest', report, status, (json) => {
    if (!isWhole) storeTestSeconds(vitestSeconds(json), root);
    crashed = crashedFiles(json);
    return vitestTally(json);
  });
  return { tally, crashed };
}

/** Runs the end-to-end tests of `files`. */
export async function runEndToEnd(options: {
  readonly files: readonly string[];
  readonly isWhole: boolean;
}): Promise<Tally> {
  const { files, isWhole } = options;
  const report = path.join(reports, `playwright${isWhole ? '-whole' : ''}.json`);
  const { status } = await runWithin(
    maxMinutes.endToEnd,
    'playwright',
    ['test', '--config', 'test/e2e/playwright.config.ts', '--reporter=line,json', ...files],
    { env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...(isWhole ? wholeRunEnv : {}) } },
  );
  return readTally('end-to-end tests', report, status, (json) => {
    storeTestSeconds(playwrightSeconds(json), path.join(root, 'test/e2e'));
    return playwrightTally(json);
  });
}

async function runWithin(
  minutes: number,
  command: string,
  args: readonly string[],
  options: { readonly env: Readonly<Record<string, string>>; readonly atOnce?: boolean },
): Promise<Ran> {
  const ending = AbortSignal.timeout(minutes * 60_000);
  const ran = await runCommand(command, args, { ...options, ending });
  if (ending.aborted) console.error(`Ended: ${command} did not end within ${String(minutes)} minutes.`);
  return ran;
}

/** Runs the conformance suites. Prints their output in one piece at the end, because other parts run in parallel. */
export async function runConformance(): Promise<Tally> {
  const script = path.join(root, 'test/integration/conformance/run.ts');
  const { status, text } = await runWithin(maxMinutes.conformance, process.execPath, [script], {
    env: { NO_COLOR: '1' },
    atOnce: true,
  });
  return addRunnerFailure('conformance', status, printedTally(text, 'conformance'));
}

/** Runs the suite in a real Electron. Skipped without Electron's binary or a display. */
export async function runDesktopSuite(): Promise<Tally> {
  const obstacle = desktopTestObstacle();
  if (obstacle !== null) {
    console.log(`skipped: the desktop suite (${obstacle})`);
    return { ...emptyTally, skipped: [`the desktop suite in a real Electron: ${obstacle}`] };
  }
  const report = path.join(reports, 'desktop.json');
  const { status } = await runCommand(
    'playwright',
    ['test', '--config', 'test/e2e-desktop/playwright.config.ts', '--reporter=line,json'],
    { env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, COOPER_TEST_ELECTRON: findElectronForTests() ?? '' } },
  );
  return readTally('desktop', report, status, playwrightTally);
}

function readTally(name: string, file: string, status: number, read: (json: unknown) => Tally): Tally {
  if (!existsSync(file))
    return { ...emptyTally, failed: [`${name}: ended with status ${String(status)} and no report`] };
  return addRunnerFailure(name, status, read(JSON.parse(readFileSync(file, 'utf8'))));
}

/** Returns the tally. Adds a failure if the runner failed without a failed test, or ran no test at all. */
function addRunnerFailure(name: string, status: number, tally: Tally): Tally {
  if (tally.failed.length > 0) return tally;
  if (status !== 0) return { ...tally, failed: [`${name}: ended with status ${String(status)}`] };
  return tally.passed + tally.skipped.length > 0 ? tally : { ...tally, failed: [`${name}: no test was run`] };
}

/** The file with the duration of each test file in its last run, from which a check selects tests that fit its budget. */
const secondsFile = path.join(root, '.cache', 'test-seconds.json');
const secondsSchema = z.record(z.string(), z.number());

function storeTestSeconds(seconds: ReadonlyMap<string, number>, folder: string): void {
  const secondsByFile = new Map(Object.entries(readTestSeconds()));
  for (const [name, fileSeconds] of seconds)
    secondsByFile.set(path.relative(root, path.resolve(folder, name)).replaceAll('\\', '/'), fileSeconds);
  mkdirSync(path.dirname(secondsFile), { recursive: true });
  writeFileSync(secondsFile, `${JSON.stringify(Object.fromEntries(secondsByFile))}\n`);
}

/** Returns the stored durations. Empty before the first run. */
export function readTestSeconds(): Readonly<Record<string, number>> {
  return existsSync(secondsFile) ? secondsSchema.parse(JSON.parse(readFileSync(secondsFile, 'utf8'))) : {};
}
