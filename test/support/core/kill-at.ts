import { isResting } from '../../../electron/core/jobs/job.ts';
import { KillableRun } from '../../torture/killable-run.ts';
import { sampleOf } from '../sample.ts';
import type { TransferRig } from './transfers-rig.ts';

/**
 * Runs a job without a kill, then once for each chosen point at which it is killed. `npm test` runs only `few` of the points.
 * Returns the number of points.
 */
export async function killedAtPoints(
  { points, few }: { readonly points: (last: number) => readonly number[]; readonly few: number },
  play: (point: number | null) => Promise<number>,
): Promise<number> {
  const last = await play(null);
  for (const point of sampleOf(points(last), few)) await play(point);
  return last;
}

/** Chooses every point, but at most `maxPoints`. */
export function everyPoint(maxPoints: number): (last: number) => readonly number[] {
  return (last) => Array.from({ length: Math.min(last, maxPoints) }, (_, index) => index + 1);
}

/**
 * Begins a job, kills the core at the given point of its work (never for null), and restarts it until the job rests. Returns the
 * number of points that the first run passed.
 */
export async function killAt(
  rig: TransferRig,
  point: number | null,
  begin: () => Promise<string> | string,
): Promise<{ readonly jobId: string; readonly points: number }> {
  const jobId = await begin();
  await rig.uploads.jobs.sendMany([jobId], { states: null, connectionId: null }, { kind: 'pause' });
  const run = new KillableRun(point);
  let active = run;
  rig.storeHooks = { onTransaction: (when) => active.storeHooks.onTransaction?.(when) };
  rig.wrapClient = (client) => active.wrap(client, () => undefined);
  await rig.restart();
  resume(rig, jobId);
  while (!run.isKilled) {
    const job = rig.uploads.jobs.job(jobId);
    if (job === null || isResting(job.state)) break;
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
  }
  active = new KillableRun(null);
  await rig.restart();
  resume(rig, jobId);
  await rig.settle(jobId);
  return { jobId, points: run.points };
}

function resume(rig: TransferRig, jobId: string): void {
  try {
    rig.uploads.jobs.send(jobId, { kind: 'resume' });
  } catch (thrown) {
    if (!(thrown instanceof Error) || thrown.name !== 'Killed') throw thrown;
  }
}
