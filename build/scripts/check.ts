import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildWhenNeeded } from './build.ts';
import { desktopObstacle, findElectronForTests } from './desktop-tests.ts';
import { root, runCommand } from './run-command.ts';
import { makeScratchFolder } from './scratch-folder.ts';
import {
  lastLine,
  nothing,
  playwrightTally,
  printedTally,
  sum,
  vitestTally,
  type Tally,
} from './test-reports.ts';

/** `npm test`: everything, each part even where one before it failed, and at the end one line of counts. */
interface Part {
  readonly name: string;
  readonly run: () => Promise<Tally>;
}

const reports = path.join(root, '.cache', 'reports');
/** By content: what was well formed yesterday, to the byte, is so today. */
const prettierCache = [
  '--cache',
  '--cache-strategy',
  'content',
  '--cache-location',
  path.join(root, '.cache', 'prettier'),
];

const parts: readonly Part[] = [
  { name: 'types, lint, format, layers', run: reading },
  { name: 'build', run: build },
  { name: 'unit, contract and integration tests', run: vitest },
  { name: 'conformance', run: conformance },
  { name: 'end-to-end tests', run: endToEnd },
  { name: 'desktop', run: desktop },
];

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const scratch = makeScratchFolder();
process.once('exit', () => {
  scratch.remove();
});
// By itself a signal ends a process without a word to `exit`.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.env['TMPDIR'] = scratch.path;
const tallies: Tally[] = [];
for (const part of parts) {
  console.log(`\n── ${part.name}`);
  const begunMs = performance.now();
  const tally = await part.run();
  const seconds = ((performance.now() - begunMs) / 1000).toFixed(1);
  console.log(`── ${part.name}: ${lastLine(tally)} (${seconds} s)`);
  tallies.push(tally);
}
conclude(sum(tallies));

function conclude(total: Tally): void {
  if (total.skipped.length > 0) console.log('\nSkipped:');
  for (const name of total.skipped) console.log(`  ${name}`);
  if (total.failed.length > 0) console.log('\nFailed:');
  for (const name of total.failed) console.log(`  ${name}`);
  console.log(`\n${lastLine(total)}`);
  process.exitCode = total.failed.length === 0 ? 0 : 1;
}

/** What only reads the sources: side by side, since not all of it uses every core; each says its part in one piece. */
async function reading(): Promise<Tally> {
  const all = await Promise.all([
    command('types', 'tsc', ['-b']),
    command('format', 'prettier', ['--check', '--log-level', 'warn', ...prettierCache, '.']),
    command('lint', 'oxlint', ['--type-aware', '--deny-warnings']),
    command('layers', process.execPath, [path.join(root, 'build/scripts/layers.ts')]),
  ]);
  return sum(all);
}

async function command(name: string, program: string, args: readonly string[]): Promise<Tally> {
  const { status } = await runCommand(program, args, { atOnce: true });
  return status === 0 ? { ...nothing, passed: 1 } : { ...nothing, failed: [name] };
}

async function build(): Promise<Tally> {
  try {
    await buildWhenNeeded((line) => {
      console.log(line);
    });
    return { ...nothing, passed: 1 };
  } catch (thrown) {
    console.error(thrown);
    return { ...nothing, failed: ['build'] };
  }
}

async function vitest(): Promise<Tally> {
  const file = path.join(reports, 'vitest.json');
  const { status } = await runCommand('vitest', [
    'run',
    '--config',
    'build/vite/vitest.config.ts',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]);
  return reported('vitest', file, status, vitestTally);
}

async function endToEnd(): Promise<Tally> {
  const file = path.join(reports, 'playwright.json');
  const { status } = await runCommand(
    'playwright',
    ['test', '--config', 'test/e2e/playwright.config.ts', '--reporter=line,json'],
    { env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file } },
  );
  return reported('end-to-end tests', file, status, playwrightTally);
}

async function conformance(): Promise<Tally> {
  const script = path.join(root, 'test/integration/conformance/run.ts');
  const { status, text } = await runCommand(process.execPath, [script], {
    env: { NO_COLOR: '1' },
    keep: true,
  });
  return agreeing('conformance', status, printedTally(text, 'conformance'));
}

/** The suite that drives the real Electron, where its binary and a display are there. */
async function desktop(): Promise<Tally> {
  const obstacle = desktopObstacle();
  if (obstacle !== null) {
    console.log(`skipped: the desktop suite (${obstacle})`);
    return { ...nothing, skipped: [`the desktop suite in a real Electron: ${obstacle}`] };
  }
  const file = path.join(reports, 'desktop.json');
  const { status } = await runCommand(
    'playwright',
    ['test', '--config', 'test/e2e-desktop/playwright.config.ts', '--reporter=line,json'],
    { env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file, COOPER_TEST_ELECTRON: findElectronForTests() ?? '' } },
  );
  return reported('desktop', file, status, playwrightTally);
}

function reported(name: string, file: string, status: number, read: (json: unknown) => Tally): Tally {
  if (!existsSync(file))
    return { ...nothing, failed: [`${name}: ended with status ${String(status)} and no report`] };
  return agreeing(name, status, read(JSON.parse(readFileSync(file, 'utf8'))));
}

/** A runner that failed without a failed test has failed all the same; one that ran nothing has shown nothing. */
function agreeing(name: string, status: number, tally: Tally): Tally {
  if (tally.failed.length > 0) return tally;
  if (status !== 0) return { ...tally, failed: [`${name}: ended with status ${String(status)}`] };
  return tally.passed + tally.skipped.length > 0 ? tally : { ...tally, failed: [`${name}: no test was run`] };
}
