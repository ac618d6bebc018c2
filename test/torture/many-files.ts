import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { scriptFlags } from '../../build/scripts/script-flags.ts';
import type { ItemCounts } from '../../shared/models/transfers.ts';
import { buildChild } from '../bench/support/build-child.ts';
import { benchKeys } from '../bench/support/bench-keys.ts';
import { startEngine, type TransferOrder } from '../support/core/engine.ts';

/**
 * `npm run torture:many [-- --files 200000 --minutes 25]`: uploads a folder with this many small files to the embedded service,
 * downloads it again, and compares names, times and bytes. Every few seconds, prints the memory, the size of the database and the
 * number of transferred files. Fails if something differs, or if the last third is less than half as fast as the first.
 */
export interface ManyInput extends TransferOrder {
  readonly folder: string;
  readonly service: typeof benchKeys & { readonly endpoint: string; readonly region: string };
}

export interface ManyNews {
  readonly state: string;
  readonly reason: string | null;
  readonly items: ItemCounts | null;
  readonly isOver: boolean;
  readonly rssMiB: number;
  readonly peakMiB: number;
  readonly databaseBytes: number;
  readonly cpuSeconds: number;
  /** The longest time in milliseconds that the main thread was blocked. */
  readonly longestTaskMs: number;
}

const MiB = 1024 ** 2;
/** Live data takes 15 MB for any number of files. The rest is garbage that the engine has not collected yet. */
const limitMiB = 320;
const tellEverySeconds = 10;
const bucket = 'many';
const prefix = 'up/';

const { values } = scriptFlags(
  { usage: 'Usage: npm run torture:many [-- --files 200000 --minutes 25]' },
  { files: { type: 'string', default: '200000' }, minutes: { type: 'string', default: '25' } },
);
const fileCount = Number(values.files);
const endsAtMs = performance.now() + Number(values.minutes) * 60_000;
const wrong: string[] = [];

const folder = mkdtempSync(path.join(os.tmpdir(), 'cooper-many-'));
const begun = performance.now();
const server = fork(fileURLToPath(new URL('../bench/support/service-child.ts', import.meta.url)), [], {
  execPath: process.execPath,
});
try {
  server.send({ dataDir: path.join(folder, 'service') });
  const [{ endpoint }] = (await once(server, 'message')) as [{ endpoint: string }];
  await run({ endpoint, region: 'us-east-1', ...benchKeys });
} finally {
  const exited = once(server, 'exit');
  server.disconnect();
  await exited;
  rmSync(folder, { recursive: true, force: true });
}
for (const line of wrong) say(`WRONG: ${line}`);
say(wrong.length === 0 ? 'All held.' : 'It did not hold.');
process.exitCode = wrong.length === 0 ? 0 : 1;

async function run(service: ManyInput['service']): Promise<void> {
  const root = path.join(folder, 'send', 'tree of files');
  const names = plant(root);
  say(`${names.length} files and 2 empty folders stand.`);
  const { client, close } = startEngine({ folder: freshFolder('listing'), service });
  await client.createBucket({ bucket });
  const program = await buildChild(new URL('./many-files-child.ts', import.meta.url));
  const whole = { service, bucket, prefix };
  await live(program, { kind: 'upload', key: null, ...whole, folder: freshFolder('up'), local: root });
  const listed = new Set<string>();
  let pageToken: string | null = null;
  do {
    const page = await client.listObjects({
      bucket,
      prefix,
      maxKeys: 1000,
      ...(pageToken === null ? {} : { pageToken }),
    });
    for (const { key } of page.objects) listed.add(key);
    ({ nextPageToken: pageToken } = page);
  } while (pageToken !== null);
  await close();
  const expected = [...names, 'empty/', 'folder 3/empty too/'].map(
    (name) => `${prefix}tree of files/${name}`,
  );
  say(`${listed.size} keys are listed.`);
  if (listed.size !== expected.length || !expected.every((key) => listed.has(key)))
    wrong.push(`The listing has ${listed.size} keys, which are not the ${expected.length} that were sent.`);
  const fetched = path.join(folder, 'fetch');
  mkdirSync(fetched);
  await live(program, { kind: 'download', key: null, ...whole, folder: freshFolder('down'), local: fetched });
  compare(root, path.join(fetched, 'tree of files'));
  say('Both trees are compared.');
}

function freshFolder(name: string): string {
  const made = path.join(folder, name);
  mkdirSync(made);
  return made;
}

/**
 * Creates the files: half of them in one folder, the others in folders of a hundred. Some names and times are difficult to
 * preserve.
 */
function plant(root: string): readonly string[] {
  const oddities = [
    '%41 b',
    'ünï\u0301',
    '+&?#=',
    ' leading',
    'trailing.',
    'a:b',
    '\u{1f600}',
    "it's <&>",
    'CON',
  ];
  const names: string[] = [];
  for (const empty of ['empty', 'folder 3/empty too']) mkdirSync(path.join(root, empty), { recursive: true });
  for (let index = 0; index < fileCount; index += 1) {
    const inOne = index < fileCount / 2;
    const below = inOne ? 'one folder' : `folder ${Math.floor(index / 10_000)}/${Math.floor(index / 100)}`;
    if (index === 0 || (!inOne && index % 100 === 0)) mkdirSync(path.join(root, below), { recursive: true });
    const name = `${below}/${oddities[index % 40] ?? 'file'} ${index}.txt`;
    const local = path.join(root, name);
    writeFileSync(local, index % 3 === 0 ? '' : `${index * 7919}`.repeat(1 + (index % 5)));
    const seconds = 946_684_800 + ((index * 7919) % 800_000_000) + (index % 1000) / 1000;
    utimesSync(local, seconds, seconds);
    names.push(name);
  }
  return names;
}

/** Runs one job from its start to its end. */
async function live(program: string, input: ManyInput): Promise<void> {
  const child: ChildProcess = fork(program, [], { execPath: process.execPath, execArgv: [] });
  const exited = once(child, 'exit');
  const started = performance.now();
  const samples: { atSeconds: number; done: number }[] = [];
  let last: ManyNews | null = null as ManyNews | null;
  child.on('message', (news: ManyNews) => {
    last = news;
    const atSeconds = (performance.now() - started) / 1000;
    const done = news.items?.done ?? 0;
    const before = samples.at(-1);
    if (before !== undefined && atSeconds - before.atSeconds < tellEverySeconds && !news.isOver) return;
    samples.push({ atSeconds, done });
    const speed = before === undefined ? 0 : (done - before.done) / (atSeconds - before.atSeconds);
    say(
      `  ${input.kind}: ${done} of ${news.items?.total ?? 0}, ${speed.toFixed(0)}/s, ${news.rssMiB.toFixed(0)} MiB, database ${(news.databaseBytes / MiB).toFixed(1)} MiB, ${news.cpuSeconds.toFixed(1)} s of CPU, service ${serviceMiB().toFixed(0)} MiB`,
    );
    if (performance.now() > endsAtMs) child.kill('SIGKILL');
  });
  child.send(input);
  const [code, signal] = (await exited) as [number | null, string | null];
  if (signal !== null) throw new Error(`The ${input.kind} was ended by ${signal}: the time is over.`);
  if (last === null || code !== 0) throw new Error(`The ${input.kind} told nothing, or ended with ${code}.`);
  const { state, reason, items, peakMiB, longestTaskMs } = last;
  const seconds = (performance.now() - started) / 1000;
  say(
    `${input.kind}: ${state} in ${seconds.toFixed(1)} s, ${(fileCount / seconds).toFixed(0)} files/s, peak ${peakMiB.toFixed(0)} MiB, longest task ${longestTaskMs.toFixed(0)} ms, ${JSON.stringify(items)}`,
  );
  if (state !== 'done' || items?.failed !== 0)
    wrong.push(`The ${input.kind} ended ${state} ${reason ?? ''}.`);
  if (peakMiB > limitMiB) wrong.push(`The ${input.kind} took ${peakMiB.toFixed(0)} MiB.`);
  const [first, third] = [speedOf(samples, 0, 1 / 3), speedOf(samples, 2 / 3, 1)];
  if (third < first / 2)
    wrong.push(
      `The ${input.kind} went at ${first.toFixed(0)}/s in its first third and at ${third.toFixed(0)}/s in its last.`,
    );
}

/** Returns files per second between two fractions of the whole, from the reported progress; NaN without two reports. */
function speedOf(samples: readonly { atSeconds: number; done: number }[], from: number, to: number): number {
  const inside = samples.filter(({ done }) => done > 0 && done >= from * fileCount && done <= to * fileCount);
  const [first, last] = [inside[0], inside.at(-1)];
  if (first === undefined || last === undefined || first === last) return Number.NaN;
  return (last.done - first.done) / (last.atSeconds - first.atSeconds);
}

function serviceMiB(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** Compares two trees, entry by entry. */
function compare(left: string, right: string): void {
  const [ours, theirs] = [left, right].map((dir) => readdirSync(dir).toSorted());
  if (JSON.stringify(ours) !== JSON.stringify(theirs)) {
    wrong.push(`${left} and ${right} hold different names.`);
    return;
  }
  for (const name of ours ?? []) {
    const [leftFile, other] = [path.join(left, name), path.join(right, name)];
    const [oneStats, otherStats] = [lstatSync(leftFile), lstatSync(other)];
    if (oneStats.isDirectory() !== otherStats.isDirectory()) wrong.push(`${other} is something else.`);
    else if (oneStats.isDirectory()) compare(leftFile, other);
    else if (oneStats.mtimeMs !== otherStats.mtimeMs)
      wrong.push(`${other} is of ${otherStats.mtime.toISOString()}, not ${oneStats.mtime.toISOString()}.`);
    else if (!readFileSync(leftFile).equals(readFileSync(other))) wrong.push(`${other} holds other bytes.`);
    if (wrong.length > 20) return;
  }
}

function say(line: string): void {
  console.log(`${((performance.now() - begun) / 1000).toFixed(0).padStart(5)} s  ${line}`);
}
