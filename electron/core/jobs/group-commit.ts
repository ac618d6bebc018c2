import type { Clock } from '../ports.ts';
import type { JobStore } from './store.ts';

/** How long the first write waits for others: less than one wait for the disk costs. */
const collectMs = 5;

interface Waiting {
  readonly write: () => void;
  readonly signal: AbortSignal;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Joins the writes that many workers want at about the same moment into one transaction, so that the disk is waited for
 * once. Each worker goes on only when its own write is on the disk; where that fails, it fails for all of them.
 */
export class GroupCommit {
  readonly #store: Pick<JobStore, 'transaction'>;
  readonly #clock: Clock;
  readonly #most: number;
  #waiting: Waiting[] = [];
  #round = 0;

  /** `most`: writes that go at once, without waiting for more. */
  constructor(store: Pick<JobStore, 'transaction'>, clock: Clock, most: number) {
    this.#store = store;
    this.#clock = clock;
    this.#most = most;
  }

  /** Resolves once it is on the disk; throws what the store threw, or the reason of the signal: then nothing was written. */
  write(write: () => void, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, signal, resolve, reject });
      if (this.#waiting.length >= this.#most) this.#flush();
      else if (this.#waiting.length === 1) this.#flushSoon();
    });
  }

  #flushSoon(): void {
    const round = this.#round;
    const due = (): void => {
      if (round === this.#round) this.#flush();
    };
    void this.#clock.sleep(collectMs).then(due, due);
  }

  #flush(): void {
    this.#round += 1;
    const all = this.#waiting;
    this.#waiting = [];
    for (const one of all) if (one.signal.aborted) one.reject(one.signal.reason);
    const group = all.filter(({ signal }) => !signal.aborted);
    if (group.length === 0) return;
    try {
      this.#store.transaction(() => {
        for (const { write } of group) write();
      });
    } catch (thrown) {
      for (const { reject } of group) reject(thrown);
      return;
    }
    for (const { resolve } of group) resolve();
  }
}
