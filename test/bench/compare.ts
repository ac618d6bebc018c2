import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { median, type Figure } from './report.ts';

/** The figures of one run of each commit. The two runs follow each other directly. */
export interface ComparedRound {
  readonly here: readonly Figure[];
  readonly there: readonly Figure[];
}

export interface Ratio {
  readonly name: string;
  readonly unit: string;
  /** The median, over all rounds, of this commit's figure divided by the other's. */
  readonly ratio: number;
  readonly lowest: number;
  readonly highest: number;
}

/** Returns the ratio of each figure that both commits have, with its spread over the rounds. */
export function ratiosOf(rounds: readonly ComparedRound[]): readonly Ratio[] {
  const units = new Map(rounds.flatMap(({ here }) => here.map(({ name, unit }) => [name, unit])));
  return [...units].flatMap(([name, unit]) => {
    const ratios = rounds
      .map(({ here, there }) => valueOf(here, name) / valueOf(there, name))
      .filter((ratio) => Number.isFinite(ratio));
    if (ratios.length === 0) return [];
    return [{ name, unit, ratio: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) }];
  });
}

function valueOf(figures: readonly Figure[], name: string): number {
  return figures.find((figure) => figure.name === name)?.value ?? Number.NaN;
}

/** Units of time and size, where less is better. */
const costUnits: ReadonlySet<string> = new Set(['ms', 's', 'min', 'kB', 'MB', 'MiB']);

/** Returns the costs that grew beyond `maxRatio`. Ignores a figure as noise if it did not grow in one of the rounds. */
export function grownCosts(ratios: readonly Ratio[], maxRatio: number): readonly Ratio[] {
  return ratios.filter(({ unit, ratio, lowest }) => costUnits.has(unit) && ratio > maxRatio && lowest > 1);
}

/** Formats the ratios as table lines. */
export function ratioTable(ratios: readonly Ratio[]): string {
  const width = Math.max(...ratios.map(({ name }) => name.length));
  return ratios
    .map(
      ({ name, ratio, lowest, highest }) =>
        `${name.padEnd(width)} ${ratio.toFixed(2)} x  (${lowest.toFixed(2)} to ${highest.toFixed(2)})`,
    )
    .join('\n');
}

/**
 * Runs the benchmarks of this commit and another one alternately, so that both run under the same load. Checks the other commit
 * out in a temporary folder, with the same node_modules if both have the same package-lock.json.
 */
export async function compareWith(
  root: string,
  ref: string,
  benches: readonly string[],
  rounds: number,
): Promise<readonly Ratio[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cooper-bench-ref-'));
  const there = path.join(folder, 'checkout');
  execFileSync('git', ['worktree', 'add', '--detach', there, ref], { cwd: root, stdio: 'ignore' });
  try {
    const [wanted, present] = [there, root].map((at) =>
      readFileSync(path.join(at, 'package-lock.json'), 'utf8'),
    );
    if (wanted === present) symlinkSync(path.join(root, 'node_modules'), path.join(there, 'node_modules'));
    else execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: there, stdio: 'ignore' });
    const done: ComparedRound[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // The order changes from round to round, since the first one may find the disk's cache cold.
      const order = round % 2 === 0 ? [root, there] : [there, root];
      const figures = new Map<string, readonly Figure[]>();
      for (const at of order) figures.set(at, await figuresOf(at, benches));
      done.push({ here: figures.get(root) ?? [], there: figures.get(there) ?? [] });
    }
    return ratiosOf(done);
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', there], { cwd: root, stdio: 'ignore' });
    await rm(folder, { recursive: true, force: true });
  }
}

/** Builds a checkout and runs its benchmarks. Only the figures matter here, even if they exceed their limits. */
async function figuresOf(root: string, benches: readonly string[]): Promise<readonly Figure[]> {
  await run(root, ['build/scripts/run.mjs', 'build']);
  await run(root, ['test/bench/main.ts', ...benches, '--alone']);
  return JSON.parse(readFileSync(path.join(root, '.cache/bench.json'), 'utf8')) as readonly Figure[];
}

async function run(cwd: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  const [status] = (await once(child, 'exit')) as [number | null];
  if (status === null || status > 1)
    throw new Error(`${args.join(' ')} ended with ${String(status)} in ${cwd}.`);
}
