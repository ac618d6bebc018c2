import { isResting } from '../../../electron/core/jobs/job.ts';
import { Life } from '../../torture/mortal.ts';
import { sampleOf } from '../sample.ts';
import type { TransferRig } from './transfers-rig.ts';

/**
 * Plays a job that lives on, then one that is killed at each of `points` of what its first life had; `npm test` plays `few` of
 * them. Answers how many points there were.
 */
export async function killedAtPoints(
  { points, few }: { readonly points: (last: number) => readonly number[]; readonly few: number },
  play: (point: number | null) => Promise<number>,
): Promise<number> {
  const last = await play(null);
  for (const point of sampleOf(points(last), few)) await play(point);
  return last;
}

/** Every point, up to a number. */
export function everyPoint(most: number): (last: number) => readonly number[] {
  return (last) => Array.from({ length: Math.min(last, most) }, (_, index) => index + 1);
}

/**
 * Begins a job, dies at the nth point of its work (null: lives on), and lives again until it rests. Answers how many points the
 * first life had.
 */
export async function dieAt(
  rig: TransferRig,
  point: number | null,
  begin: () => Promise<string> | string,
): Promise<{ readonly jobId: string; readonly points: number }> {
  const jobId = await begin();
  await rig.uploads.jobs.sendMany([jobId], { states: null, connectionId: null }, { kind: 'pause' });
  const life = new Life(point);
  let active = life;
  rig.storeHooks = { onTransaction: (when) => active.storeHooks.onTransaction?.(when) };
  rig.wrapClient = (client) => active.wrap(client, () => undefined);
  await rig.restart();
  resume(rig, jobId);
  while (!life.isOver) {
    const job = rig.uploads.jobs.job(jobId);
    if (job === null || isResting(job.state)) break;
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
  }
  active = new Life(null);
  await rig.restart();
  resume(rig, jobId);
  await rig.settle(jobId);
  return { jobId, points: life.points };
}

function resume(rig: TransferRig, jobId: string): void {
  try {
    rig.uploads.jobs.send(jobId, { kind: 'resume' });
  } catch (thrown) {
    if (!(thrown instanceof Error) || thrown.name !== 'Killed') throw thrown;
  }
}
