import { existsSync, readFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { buildWhenNeeded } from '../build.ts';
import { desktopTestObstacle, findElectronForTests } from '../electron/electron-binary.ts';
import { writeMessageTypes } from '../message-types.ts';
import { root, runCommand, type Ran } from '../run-command.ts';
import {
  crashedFiles,
  nothing,
  playwrightSeconds,
  playwrightTally,
  printedTally,
  sum,
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
const whole = { COOPER_TEST_WHOLE: '1' };
/**
 * Timeouts in minutes, so that a hanging runner cannot block the others. At least twice the usual duration on two cores, since the
 * cores of shared machines are at times less than half as fast.
 */
const maxMinutes = { vitest: 45, conformance: 30, endToEnd: 65 } as const;

/**
 * Runs the static checks in parallel, because not all of them use every core. Prints the output of each in one piece. `files`
 * limits linting and format checks to these files.
 */
export async function reading(files: readonly string[] | null = null): Promise<Tally> {
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
  return sum(all);
}

async function command(name: string, program: string, args: readonly string[]): Promise<Tally> {
  const { status } = await runCommand(program, args, { atOnce: true });
  return status === 0 ? { ...nothing, passed: 1 } : { ...nothing, failed: [name] };
}

export async function build(): Promise<Tally> {
  try {
    await buildWhenNeeded();
    return { ...nothing, passed: 1 };
  } catch (thrown) {
    console.error(thrown);
    return { ...nothing, failed: ['build'] };
  }
}

interface VitestSelection {
  readonly files?: readonly string[];
  readonly isWhole?: boolean;
}

/** Runs the unit, contract and integration tests, or only `files`. Repeats files whose process crashed once. */
export async function vitest({ files = [], isWhole = false }: VitestSelection = {}): Promise<Tally> {
  const { crashed, tally } = await vitestOnce({ files, isWhole }, '');
  if (crashed.length === 0) return tally;
  console.log(`Their process crashed; they are run once more: ${crashed.join(', ')}`);
  return withSecondRun(tally, crashed, (await vitestOnce({ files: crashed, isWhole }, '-again')).tally);
}

async function vitestOnce(
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
    { env: isWhole ? whole : {} },
  );
  let crashed: readonly string[] = [];
  const tally = reported('vitest', report, status, (json) => {
    if (!isWhole) keepSeconds(vitestSeconds(json), root);
    crashed = crashedFiles(json);
    return vitestTally(json);
  });
  return { tally, crashed };
}

/** Runs the end-to-end tests of `files`. */
export async function endToEnd(options: {
  readonly files: readonly string[];
  readonly isWhole: boolean;
}): Promise<Tally> {
  const { files, isWhole } = options;
  const report = path.join(reports, `playwright${isWhole ? '-whole' : ''}.json`);
  const { status } = await runWithin(
    maxMinutes.endToEnd,
    'playwright',
    ['test', '--config', 'test/e2e/playwright.config.ts', '--reporter=line,json', ...files],
    { env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...(isWhole ? whole : {}) } },
  );
  return reported('end-to-end tests', report, status, (json) => {
    keepSeconds(playwrightSeconds(json), path.join(root, 'test/e2e'));
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
export async function conformance(): Promise<Tally> {
  const script = path.join(root, 'test/integration/conformance/run.ts');
  const { status, text } = await runWithin(maxMinutes.conformance, process.execPath, [script], {
    env: { NO_COLOR: '1' },
    atOnce: true,
  });
  return agreeing('conformance', status, printedTally(text, 'conformance'));
}

/** Runs the suite in a real Electron. Skipped without Electron's binary or a display. */
export async function desktop(): Promise<Tally> {
  const obstacle = desktopTestObstacle();
  if (obstacle !== null) {
    console.log(`skipped: the desktop suite (${obstacle})`);
    return { ...nothing, skipped: [`the desktop suite in a real Electron: ${obstacle}`] };
  }
  const report = path.join(reports, 'desktop.json');
  const { status } = await runCommand(
    'playwright',
    ['test', '--config', 'test/e2e-desktop/playwright.config.ts', '--reporter=line,json'],
    { env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, COOPER_TEST_ELECTRON: findElectronForTests() ?? '' } },
  );
  return reported('desktop', report, status, playwrightTally);
}

function reported(name: string, file: string, status: number, read: (json: unknown) => Tally): Tally {
  if (!existsSync(file))
    return { ...nothing, failed: [`${name}: ended with status ${String(status)} and no report`] };
  return agreeing(name, status, read(JSON.parse(readFileSync(file, 'utf8'))));
}

/** Returns the tally. Adds a failure if the runner failed without a failed test, or ran no test at all. */
function agreeing(name: string, status: number, tally: Tally): Tally {
  if (tally.failed.length > 0) return tally;
  if (status !== 0) return { ...tally, failed: [`${name}: ended with status ${String(status)}`] };
  return tally.passed + tally.skipped.length > 0 ? tally : { ...tally, failed: [`${name}: no test was run`] };
}

/** The file with the duration of each test file in its last run, from which a check selects tests that fit its budget. */
const file = path.join(root, '.cache', 'test-seconds.json');
const schema = z.record(z.string(), z.number());

function keepSeconds(seconds: ReadonlyMap<string, number>, folder: string): void {
  const kept = new Map(Object.entries(keptSeconds()));
  for (const [name, took] of seconds)
    kept.set(path.relative(root, path.resolve(folder, name)).replaceAll('\\', '/'), took);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(kept))}\n`);
}

/** Returns the stored durations. Empty before the first run. */
export function keptSeconds(): Readonly<Record<string, number>> {
  return existsSync(file) ? schema.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
}
