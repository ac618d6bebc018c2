import type { LocalFiles } from '../../electron/core/disk/local-files.ts';
import type { Job } from '../../shared/models/jobs.ts';
import type { ConflictAction } from '../../shared/models/transfers.ts';
import type { TransferRig } from '../support/core/transfers-rig.ts';
import type { Chance } from './chance.ts';
import { KillableRun } from './killable-run.ts';
import type { Setup } from './setup.ts';
import { planFaults } from './schedule-faults.ts';
import { ignoringKill, untilResting } from './until-resting.ts';

/** External events of a job. */
export interface Disturbances {
  readonly kills: number;
  readonly willCancel: boolean;
  /** Changes data as another client, once, at some moment. Null for no interference. */
  readonly interfere: (() => Promise<void>) | null;
  /** Acts on a job that waits for the user; returns false to leave it waiting. */
  readonly answer: ((job: Job) => boolean) | null;
}

export interface Played {
  readonly job: Job | null;
  readonly kills: number;
  /** The number of faults that were played, not only planned. */
  readonly faults: number;
  readonly isFaultless: boolean;
  readonly damagesUploads: boolean;
  /** The planned faults in words, for the report. */
  readonly faultWords: string;
  readonly hasCancelled: boolean;
  readonly wrong: readonly string[];
}

export function randomDisturbances(chance: Chance): Pick<Disturbances, 'kills' | 'willCancel'> {
  return { kills: chance.oneOf([0, 1, 2, 5, 9, 14]), willCancel: chance.happens(0.3) };
}

/** Runs a job that has just been started until it rests, with random kills, faults and a cancel. Clears its faults at the end. */
export async function runJob(
  { transfers: rig, proxy, proxied }: Setup,
  chance: Chance,
  begin: () => Promise<string> | string,
  disturbances: Disturbances,
): Promise<Played> {
  const wrong: string[] = [];
  const { files } = rig;
  const startRun = (points: number | null): KillableRun => {
    const run = new KillableRun(points);
    rig.storeHooks = run.storeHooks;
    rig.wrapClient = () => run.wrap(proxied.transfers, () => undefined);
    rig.files = killableFiles(files, run);
    return run;
  };

  startRun(null);
  const plan = planFaults(proxy, chance);
  const jobId = await begin();
  await rig.uploads.jobs.sendMany([jobId], { states: null, connectionId: null }, { kind: 'pause' });
  plan.begin();
  const nextRun = (killsLeft: number): KillableRun => startRun(killsLeft > 0 ? chance.integer(1, 60) : null);
  const run = nextRun(disturbances.kills);
  await rig.restart();
  ignoringKill(() => rig.uploads.jobs.send(jobId, { kind: 'resume' }));
  const { interfere, willCancel } = disturbances;
  const interfereAtMs = Date.now() + chance.integer(0, 60);
  let hasCancelled = false;
  const cancel = (): void => {
    hasCancelled = true;
    ignoringKill(() => rig.uploads.jobs.send(jobId, { kind: 'cancel' }));
  };
  const { job, kills } = await untilResting({
    jobId,
    core: rig,
    plan,
    run,
    kills: disturbances.kills,
    restart: async (killsLeft) => {
      startRun(null);
      await rig.restart();
      const next = nextRun(killsLeft);
      await rig.restart();
      return next;
    },
    events: [
      ...(interfere === null ? [] : [{ atMs: interfereAtMs, needsProcess: false, act: interfere }]),
      ...(willCancel ? [{ atMs: Date.now() + chance.integer(0, 120), needsProcess: true, act: cancel }] : []),
    ],
    react: (resting) => {
      if (resting.reason !== 'by-user') return isAnswered(resting, disturbances.answer);
      ignoringKill(() => rig.uploads.jobs.send(jobId, { kind: 'resume' }));
      return true;
    },
    wrong,
  });
  startRun(null);
  rig.files = files;
  await rig.uploads.jobs.idle();
  plan.end();
  return {
    job,
    kills,
    faults: plan.played(),
    isFaultless: plan.isFaultless,
    damagesUploads: plan.damagesUploads,
    faultWords: plan.words,
    hasCancelled,
    wrong,
  };
}

/**
 * Returns the user's reaction to a waiting job, for a limited number of times: answers its questions and retries failed items.
 */
export function answersOf(
  rig: TransferRig,
  chance: Chance,
  actions: readonly ConflictAction[],
): Disturbances['answer'] {
  let left = chance.integer(0, 3);
  return ({ id, reason }) => {
    if (left === 0 || (reason !== 'conflicts' && reason !== 'items-failed')) return false;
    left -= 1;
    if (reason === 'conflicts') rig.transfers.answer(id, [{ seq: null, action: chance.oneOf(actions) }]);
    else rig.uploads.jobs.send(id, { kind: 'retry-now' });
    return true;
  };
}

function isAnswered(job: Job, response: Disturbances['answer']): boolean {
  if (job.state !== 'needs-attention' || response === null) return false;
  let isDone = true;
  ignoringKill(() => {
    isDone = response(job);
  });
  return isDone;
}

/** Wraps the files so that a killed process can no longer open them. */
function killableFiles(files: LocalFiles, run: KillableRun): LocalFiles {
  return {
    openPart: async (filePath) => {
      run.pass('before openPart');
      return await files.openPart(filePath);
    },
    placeSmall: async (hasher, request, signal) => {
      run.pass('before placeSmall');
      const isPlaced = await files.placeSmall(hasher, request, signal);
      run.pass('after placeSmall');
      return isPlaced;
    },
    openPiece: (hasher, request) => {
      run.pass('before openPiece');
      return files.openPiece(hasher, request);
    },
  };
}
