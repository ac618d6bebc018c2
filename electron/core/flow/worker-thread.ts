import { Worker, type ResourceLimits } from 'node:worker_threads';
import { failure } from '../../../shared/errors.ts';

export interface WorkerThreadOptions<A> {
  readonly url: URL;
  readonly limits: ResourceLimits;
  readonly data?: unknown;
  /** The error message if the thread exits unexpectedly. */
  readonly diedMessage: string;
  /** Returns true if the answer leaves its question open, as progress does. If absent, each answer closes its question. */
  readonly isPartial?: (answer: A) => boolean;
  /** Called when the thread exits unexpectedly; its pending questions are rejected. */
  readonly onDeath?: () => void;
}

interface Asked<A> {
  readonly resolve: (answer: A) => void;
  readonly reject: (thrown: unknown) => void;
  readonly onPartial: ((answer: A) => void) | undefined;
}

/**
 * Sends questions to one worker thread, which answers each by its id, in any order. The thread keeps the process alive while
 * questions are pending.
 */
export class WorkerThread<Q extends { readonly id: number }, A extends { readonly id: number }> {
  readonly #worker: Worker;
  readonly #options: WorkerThreadOptions<A>;
  readonly #asked = new Map<number, Asked<A>>();

  constructor(options: WorkerThreadOptions<A>) {
    this.#options = options;
    const { url, limits, data } = options;
    this.#worker = new Worker(url, { resourceLimits: limits, workerData: data });
    this.#worker.unref();
    this.#worker.on('message', (answer: A) => this.#onAnswer(answer));
    this.#worker.on('error', (thrown) => {
      this.#rejectAll(failure('internal', options.diedMessage, { cause: thrown }));
      options.onDeath?.();
    });
  }

  /** Sends a question to the thread. `given` is transferred, not copied, so the caller can no longer use it. */
  ask(question: Q, given: readonly ArrayBuffer[] = [], onPartial?: (answer: A) => void): Promise<A> {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
    this.#worker.postMessage(question, [...given]);
    const { promise, resolve, reject } = Promise.withResolvers<A>();
    this.#asked.set(question.id, { resolve, reject, onPartial });
    if (this.#asked.size === 1) this.#worker.ref();
    return promise;
  }

  /** Terminates the thread and rejects its pending questions with the reason. */
  async end(reason: Error): Promise<void> {
    this.#rejectAll(reason);
    await this.#worker.terminate();
  }

  #onAnswer(answer: A): void {
    const asked = this.#asked.get(answer.id);
    if (asked === undefined) return;
    if (this.#options.isPartial?.(answer) === true) {
      asked.onPartial?.(answer);
      return;
    }
    this.#asked.delete(answer.id);
    if (this.#asked.size === 0) this.#worker.unref();
    asked.resolve(answer);
  }

  #rejectAll(reason: Error): void {
    const all = [...this.#asked.values()];
    this.#asked.clear();
    for (const { reject } of all) reject(reason);
  }
}
