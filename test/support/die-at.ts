import { isResting } from '../../electron/core/jobs/types.ts';
import { Life } from '../torture/mortal.ts';
import type { TransferRig } from './transfers-rig.ts';

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
