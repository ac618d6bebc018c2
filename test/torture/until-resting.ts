import type { JobEngine } from '../../electron/core/jobs/engine.ts';
import { isResting } from '../../electron/core/jobs/job.ts';
import type { Job } from '../../shared/models/jobs.ts';
import type { KillableRun } from './killable-run.ts';
import { Patience } from './patience.ts';
import type { ScheduleFaults } from './schedule-faults.ts';
import { unattendedJobs } from './unattended-jobs.ts';

/** The time during which faults are played, in milliseconds. A job that takes longer has to end without them. */
const faultsForMs = 15_000;

/** An event that happens once, from a random moment on. */
export interface TimedEvent {
  readonly atMs: number;
  /** True if it needs a process that has not been killed. */
  readonly needsProcess: boolean;
  readonly act: () => Promise<void> | void;
}

export interface WatchedJob {
  readonly jobId: string;
  /** Its `jobs` are replaced at each restart. */
  readonly core: { readonly uploads: { readonly jobs: JobEngine } };
  readonly plan: ScheduleFaults;
  /** The first run, which is killed at its chosen point. */
  readonly run: KillableRun;
  readonly kills: number;
  /** Starts the core again after a kill. Returns its run, which is killed too if kills are left. */
  readonly restart: (killsLeft: number) => Promise<KillableRun>;
  readonly events: readonly TimedEvent[];
  /** Acts on a resting job as its user; returns false to leave it unchanged. */
  readonly react: (job: Job) => boolean;
  /** Receives the violations. The first one ends the wait. */
  readonly wrong: string[];
}

/**
 * Waits until a job rests and its user leaves it unchanged. Restarts the core after each kill, and checks that the job progresses
 * and that something will always continue it. Returns the job, or null if it is lost, and the number of kills.
 */
export async function untilResting(
  watched: WatchedJob,
): Promise<{ readonly job: Job | null; readonly kills: number }> {
  const { jobId, core, plan, wrong } = watched;
  let { run } = watched;
  const waitingEvents = new Set(watched.events);
  let kills = 0;
  let job: Job | null = null;
  const begunMs = Date.now();
  const patience = new Patience(begunMs);
  for (let turn = 0; ; turn += 1) {
    if (Date.now() > begunMs + faultsForMs) plan.end();
    if (!run.isKilled && turn % 4 === 0) wrong.push(...unattendedJobs(core.uploads.jobs));
    for (const event of waitingEvents) {
      if (Date.now() < event.atMs || (event.needsProcess && run.isKilled)) continue;
      waitingEvents.delete(event);
      await event.act();
    }
    if (run.isKilled) {
      kills += 1;
      run = await watched.restart(watched.kills - kills);
    }
    job = core.uploads.jobs.job(jobId);
    if (job === null) break;
    if (job.reason === 'needs-new-keys') ignoringKill(() => core.uploads.jobs.connectionChanged('c'));
    else if (isResting(job.state) && !run.isKilled && !watched.react(job)) break;
    if (wrong.length > 0) break;
    if (patience.isOver(job, Date.now())) {
      wrong.push(`it does not end: ${JSON.stringify(job)}`);
      break;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 3);
    });
  }
  return { job, kills };
}

/** Errors of a killed process do not fail the test. */
export function ignoringKill(work: () => void): void {
  try {
    work();
  } catch (thrown) {
    if (!(thrown instanceof Error) || thrown.name !== 'Killed') throw thrown;
  }
}
