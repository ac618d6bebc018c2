import type { Job } from '../../shared/models/jobs.ts';

/** How long a job may make no progress. */
const idleMs = 60_000;
/** How long it may take at all, in milliseconds. */
const longestMs = 10 * idleMs;

/** Waits for a job to end. A busy machine makes a job slow, which is no fault; one that stops or never ends is. */
export class Patience {
  readonly #begunMs: number;
  #progressMs: number;
  #mark = '';

  constructor(nowMs: number) {
    this.#begunMs = nowMs;
    this.#progressMs = nowMs;
  }

  /** Returns true if the job has made no progress for a minute, or has not ended in ten. */
  isOver({ state, partsDone, bytesDone, items, completeAttempts }: Job, nowMs: number): boolean {
    const mark = JSON.stringify([state, partsDone, bytesDone, items, completeAttempts]);
    if (mark !== this.#mark) this.#progressMs = nowMs;
    this.#mark = mark;
    return nowMs > this.#progressMs + idleMs || nowMs > this.#begunMs + longestMs;
  }
}
