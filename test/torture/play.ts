import { isResting } from '../../electron/core/jobs/job.ts';
import type { LocalFiles } from '../../electron/core/disk/local-files.ts';
import type { Job } from '../../shared/models/jobs.ts';
import type { ConflictAction } from '../../shared/models/transfers.ts';
import type { TransferRig } from '../support/core/transfers-rig.ts';
import type { Chance } from './chance.ts';
import { Life } from './mortal.ts';
import { lawIsBroken } from './law.ts';
import { Patience } from './patience.ts';
import type { Stand } from './stand.ts';
import { makeWeather } from './weather.ts';

/** So long it may storm, in milliseconds. A job that has not ended then has to end afterwards. */
export const stormMs = 15_000;

/** External events of a job. */
export interface Misfortune {
  readonly kills: number;
  readonly willCancel: boolean;
  /** Changes data as another client, once, at some moment; null: no interference. */
  readonly interfere: (() => Promise<void>) | null;
  /** Acts on a job that waits for the user; returns false to leave it waiting. */
  readonly answer: ((job: Job) => boolean) | null;
}

export interface Played {
  readonly job: Job | null;
  readonly kills: number;
  /** Faults that were played, not only planned. */
  readonly faults: number;
  readonly isFair: boolean;
  readonly damagesUploads: boolean;
  readonly weather: string;
  readonly hasCancelled: boolean;
  readonly wrong: readonly string[];
}

export function misfortuneOf(chance: Chance): Pick<Misfortune, 'kills' | 'willCancel'> {
  return {
    kills: chance.oneOf([0, 1, 2, 5, 9, 14]),
    willCancel: chance.happens(0.3),
  };
}

/** Runs a job that has just been started until it rests, with random kills, faults and a cancel. Clears its faults at the end. */
export async function playJob(
  { transfers: rig, proxy, proxied }: Stand,
  chance: Chance,
  begin: () => Promise<string> | string,
  misfortune: Misfortune,
): Promise<Played> {
  const wrong: string[] = [];
  const { files } = rig;
  const live = (points: number | null): Life => {
    const life = new Life(points);
    rig.storeHooks = life.storeHooks;
    rig.wrapClient = () => life.wrap(proxied.transfers, () => undefined);
    rig.files = mortalFiles(files, life);
    return life;
  };

  live(null);
  const weather = makeWeather(proxy, chance);
  const jobId = await begin();
  await rig.uploads.jobs.sendMany([jobId], { states: null, connectionId: null }, { kind: 'pause' });
  weather.storm();
  let killsLeft = misfortune.kills;
  let life = live(killsLeft > 0 ? chance.integer(1, 60) : null);
  await rig.restart();
  quietly(() => rig.uploads.jobs.send(jobId, { kind: 'resume' }));
  const interfereAtMs = Date.now() + chance.integer(0, 60);
  const cancelAtMs = misfortune.willCancel ? Date.now() + chance.integer(0, 120) : Infinity;
  let { interfere } = misfortune;
  let hasCancelled = false;
  let job: Job | null = null;
  const begunMs = Date.now();
  const patience = new Patience(begunMs);
  for (let turn = 0; ; turn += 1) {
    if (Date.now() > begunMs + stormMs) weather.clear();
    if (!life.isOver && turn % 4 === 0) wrong.push(...lawIsBroken(rig.uploads.jobs));
    if (interfere !== null && Date.now() >= interfereAtMs) {
      await interfere();
      interfere = null;
    }
    if (!hasCancelled && !life.isOver && Date.now() >= cancelAtMs) {
      hasCancelled = true;
      quietly(() => rig.uploads.jobs.send(jobId, { kind: 'cancel' }));
    }
    if (life.isOver) {
      killsLeft -= 1;
      life = live(null);
      await rig.restart();
      life = live(killsLeft > 0 ? chance.integer(1, 60) : null);
      await rig.restart();
    }
    job = rig.uploads.jobs.job(jobId);
    if (job === null) break;
    if (job.reason === 'needs-new-keys') quietly(() => rig.uploads.jobs.connectionChanged('c'));
    else if (job.reason === 'by-user') quietly(() => rig.uploads.jobs.send(jobId, { kind: 'resume' }));
    else if (isResting(job.state) && !life.isOver && !isAnswered(job, misfortune.answer)) break;
    if (wrong.length > 0) break;
    if (patience.isOver(job, Date.now())) {
      wrong.push(`it does not end: ${JSON.stringify(job)}`);
      break;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 3);
    });
  }
  live(null);
  rig.files = files;
  await rig.uploads.jobs.idle();
  weather.clear();
  return {
    job,
    kills: misfortune.kills - killsLeft,
    faults: weather.played(),
    isFair: weather.isFair,
    damagesUploads: weather.damagesUploads,
    weather: weather.words,
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
): Misfortune['answer'] {
  let left = chance.integer(0, 3);
  return ({ id, reason }) => {
    if (left === 0 || (reason !== 'conflicts' && reason !== 'items-failed')) return false;
    left -= 1;
    if (reason === 'conflicts') rig.transfers.answer(id, [{ seq: null, action: chance.oneOf(actions) }]);
    else rig.uploads.jobs.send(id, { kind: 'retry-now' });
    return true;
  };
}

function isAnswered(job: Job, answer: Misfortune['answer']): boolean {
  if (job.state !== 'needs-attention' || answer === null) return false;
  let isDone = true;
  quietly(() => {
    isDone = answer(job);
  });
  return isDone;
}

/** Wraps the files so that a killed process can no longer open them. */
function mortalFiles(files: LocalFiles, life: Life): LocalFiles {
  return {
    openPart: async (filePath) => {
      life.pass('before openPart');
      return await files.openPart(filePath);
    },
    placeSmall: async (hasher, request, signal) => {
      life.pass('before placeSmall');
      const isPlaced = await files.placeSmall(hasher, request, signal);
      life.pass('after placeSmall');
      return isPlaced;
    },
    openPiece: (hasher, request) => {
      life.pass('before openPiece');
      return files.openPiece(hasher, request);
    },
  };
}

/** Errors of a killed process do not fail the test. */
export function quietly(work: () => void): void {
  try {
    work();
  } catch (thrown) {
    if (!(thrown instanceof Error) || thrown.name !== 'Killed') throw thrown;
  }
}
