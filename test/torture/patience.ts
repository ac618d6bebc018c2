import type { Job } from '../../shared/models/jobs.ts';

/** The maximum time without progress, in milliseconds. */
const idleMs = 60_000;
/** The maximum total time, in milliseconds. */
const longestMs = 10 * idleMs;

/** The time limits of a job. A busy machine may slow a job down, but a job that stops or never ends is a fault. */
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
