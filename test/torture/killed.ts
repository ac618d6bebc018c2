import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isResting } from '../../electron/core/jobs/job.ts';
import type { Job } from '../../shared/models/jobs.ts';
import { pieceBytes, type TransferRig } from '../support/core/transfers-rig.ts';
import { bytesOf, smallestPart } from '../support/core/uploads-rig.ts';
import { Chance } from './chance.ts';
import { chooseConditionQuirks } from './condition-quirks.ts';
import { Patience } from './patience.ts';
import type { Report } from './stalled-uploads.ts';
import type { Setup } from './setup.ts';
import { planFaults } from './schedule-faults.ts';

const child = fileURLToPath(new URL('./killed-child.ts', import.meta.url));
const kinds = ['upload', 'download', 'copy', 'move', 'delete'] as const;
type Kind = (typeof kinds)[number];

interface Work {
  readonly kind: Kind;
  readonly jobId: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

/**
 * Runs several jobs at once in a separate process on the real clock, and kills it with SIGKILL at arbitrary moments. The last
 * process runs to its end. Checks the bytes of every job that reports success.
 */
export async function playKilled(setup: Setup, seed: number): Promise<Report> {
  const rig = setup.transfers;
  const chance = new Chance(seed);
  await rig.reset();
  const quirkName = chooseConditionQuirks(setup, seed);
  const plan = planFaults(setup.proxy, chance);
  const works: Work[] = [];
  for (const kind of kinds) works.push(await begun(rig, chance, kind, seed));
  await rig.uploads.jobs.idle();
  await rig.stop();
  plan.begin();
  const kills = chance.integer(1, 6);
  for (let kill = 0; kill < kills; kill += 1) await runUntilKilled(setup, chance.integer(0, 900));
  plan.end();
  rig.wrapClient = () => setup.proxied.transfers;
  await rig.restart();
  const wrong: string[] = [];
  const ends: string[] = [];
  for (const work of works) {
    rig.uploads.jobs.send(work.jobId, { kind: 'resume' });
    const { job, isAtRest } = await rested(rig, work.jobId);
    if (job === null || !isAtRest) wrong.push(`the ${work.kind} does not end: ${JSON.stringify(job)}`);
    else {
      ends.push(`${work.kind} ${job.state}`);
      wrong.push(...(await judge(rig, work, job)));
    }
  }
  await rig.uploads.jobs.clear(works.map(({ jobId }) => jobId));
  rig.wrapClient = (client) => client;
  return {
    seed,
    description: `five jobs at once, killed from outside${quirkName}; ${plan.words}`,
    kills,
    faults: plan.played(),
    end: `killed: ${ends.every((end) => end.endsWith('done')) ? 'all done' : 'not all done'}`,
    wrong,
  };
}

/** Enqueues each job in separate folders, for the child process to run. */
async function begun(rig: TransferRig, chance: Chance, kind: Kind, seed: number): Promise<Work> {
  const files = new Map<string, Buffer>();
  const large = Math.max(2 * smallestPart, pieceBytes);
  for (let index = chance.integer(2, 12); index > 0; index -= 1) {
    const size = chance.happens(0.3) ? large + chance.integer(1, 2 * large) : chance.integer(0, 900);
    files.set(`${index}`, bytesOf(size, seed * 131 + index));
  }
  for (const [name, bytes] of files) {
    if (kind === 'upload') rig.file(`upload/${name}`, bytes);
    else await rig.put(`${kind}/${name}`, bytes);
  }
  const jobId = await submitted(rig, kind);
  await rig.uploads.jobs.sendMany([jobId], { states: null, connectionId: null }, { kind: 'pause' });
  return { kind, jobId, files };
}

async function submitted(rig: TransferRig, kind: Kind): Promise<string> {
  const place = { connectionId: 'c', bucket: rig.bucket };
  const items = [{ kind: 'prefix', prefix: `${kind}/` }] as const;
  switch (kind) {
    case 'upload':
      return await rig.upload([path.join(rig.sendDir, 'upload')]);
    case 'download':
      return await rig.download(items);
    case 'delete':
      return rig.operations.delete(place, items, 'markers').jobId;
    case 'copy':
    case 'move': {
      const { jobId } = rig.operations.copy({
        from: { ...place, basePrefix: `${kind}/` },
        items,
        to: { ...place, prefix: `${kind}-target/` },
        options: { onConflict: 'ask', isMove: kind === 'move' },
      });
      if (jobId === null) throw new Error('There was nothing to do.');
      return jobId;
    }
    default:
      return kind satisfies never;
  }
}

async function runUntilKilled({ transfers: rig, proxy, service }: Setup, ms: number): Promise<void> {
  const reached = JSON.stringify({ ...service, endpoint: proxy.endpoint });
  const running = spawn(process.execPath, [child, path.join(rig.dir, 'cooper.db'), reached], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(running, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  await Promise.race([once(running.stdout, 'data'), exited]);
  await new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
  running.kill('SIGKILL');
  const [status, signal] = await exited;
  if (signal !== 'SIGKILL') throw new Error(`The process ended by itself: ${String(signal ?? status)}.`);
}

/** A job at rest, or its state when the test stopped waiting. Null if the job is lost. */
interface Ended {
  readonly job: Job | null;
  readonly isAtRest: boolean;
}

async function rested(rig: TransferRig, jobId: string): Promise<Ended> {
  const patience = new Patience(Date.now());
  for (;;) {
    const job = rig.uploads.jobs.job(jobId);
    if (job === null) return { job, isAtRest: false };
    if (isResting(job.state) && job.reason !== 'by-user') return { job, isAtRest: true };
    if (patience.isOver(job, Date.now())) return { job, isAtRest: false };
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

/**
 * Checks that everything a job reports as done is correct to the byte, and that no job loses data it had to keep. Returns the
 * faults.
 */
async function judge(rig: TransferRig, { kind, jobId, files }: Work, job: Job): Promise<string[]> {
  const wrong: string[] = [];
  const end = `${job.state} ${job.outcome ?? job.reason ?? ''}`;
  const doneKeys = new Set(
    rig.items(jobId).flatMap(({ state, key }) => (state === 'done' ? [key.slice(key.indexOf('/') + 1)] : [])),
  );
  for (const [name, bytes] of files) {
    const isDone = job.state === 'done' || doneKeys.has(name);
    const at = async (key: string): Promise<boolean> => (await rig.object(key))?.equals(bytes) === true;
    const reportWrong = (problem: string): number => wrong.push(`${kind}/${name} ${problem}: ${end}`);
    switch (kind) {
      case 'upload':
        if (isDone && !(await at(`upload/${name}`))) reportWrong('is done, and is not what was sent');
        break;
      case 'download': {
        const file = path.join(rig.fetchDir, 'download', name);
        if (isDone && !(existsSync(file) && readFileSync(file).equals(bytes)))
          reportWrong('is done, and is not what was fetched');
        break;
      }
      case 'copy':
        if (!(await at(`copy/${name}`))) reportWrong('lost its source');
        if (isDone && !(await at(`copy-target/${name}`)))
          reportWrong('is done, and its copy is not the same');
        break;
      case 'move': {
        const [isAtSource, isAtTarget] = [await at(`move/${name}`), await at(`move-target/${name}`)];
        if (!isAtSource && !isAtTarget) reportWrong('is nowhere');
        if (isDone && (isAtSource || !isAtTarget)) reportWrong('is done, and was not moved');
        break;
      }
      case 'delete':
        if (isDone && (await rig.object(`delete/${name}`)) !== null)
          reportWrong('is done, and is still there');
        break;
      default:
        kind satisfies never;
    }
  }
  return wrong;
}
