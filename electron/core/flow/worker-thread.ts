import { Worker, type ResourceLimits } from 'node:worker_threads';
import { AppFailure, failure } from '../../../shared/errors.ts';
import { buffersOf, type MethodCall, type MethodResponse } from './answer-calls.ts';

export interface WorkerThreadOptions<A> {
  readonly url: URL;
  readonly limits: ResourceLimits;
  readonly data?: unknown;
  /** The error message for an unexpected exit of the thread. */
  readonly diedMessage: string;
  /** Returns true if the answer is not the last one to its question, such as progress. If absent, each answer is the last. */
  readonly isPartial?: (response: A) => boolean;
  /** Called when the thread exits unexpectedly. Its pending questions are rejected. */
  readonly onDeath?: () => void;
}

interface PendingQuestion<A> {
  readonly resolve: (response: A) => void;
  readonly reject: (thrown: unknown) => void;
  readonly onPartial: ((response: A) => void) | undefined;
}

/** Sends questions to one worker thread, which answers each by its id, in any order. Pending questions keep the process alive. */
export class WorkerThread<Q extends { readonly id: number }, A extends { readonly id: number }> {
  readonly #worker: Worker;
  readonly #options: WorkerThreadOptions<A>;
  readonly #pending = new Map<number, PendingQuestion<A>>();

  constructor(options: WorkerThreadOptions<A>) {
    this.#options = options;
    const { url, limits, data } = options;
    this.#worker = new Worker(url, { resourceLimits: limits, workerData: data });
    this.#worker.unref();
    this.#worker.on('message', (response: A) => this.#onAnswer(response));
    this.#worker.on('error', (thrown) => {
      this.#rejectAll(failure('internal', options.diedMessage, { cause: thrown }));
      options.onDeath?.();
    });
  }

  /** Sends a question to the thread. Buffers in `transferList` are moved, so the caller must not use them afterwards. */
  ask(question: Q, transferList: readonly ArrayBuffer[] = [], onPartial?: (response: A) => void): Promise<A> {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the target is a worker thread, not a window
    this.#worker.postMessage(question, [...transferList]);
    const { promise, resolve, reject } = Promise.withResolvers<A>();
    this.#pending.set(question.id, { resolve, reject, onPartial });
    if (this.#pending.size === 1) this.#worker.ref();
    return promise;
  }

  /** Terminates the thread and rejects its pending questions with the reason. */
  async end(reason: Error): Promise<void> {
    this.#rejectAll(reason);
    await this.#worker.terminate();
  }

  #onAnswer(response: A): void {
    const pending = this.#pending.get(response.id);
    if (pending === undefined) return;
    if (this.#options.isPartial?.(response) === true) {
      pending.onPartial?.(response);
      return;
    }
    this.#pending.delete(response.id);
    if (this.#pending.size === 0) this.#worker.unref();
    pending.resolve(response);
  }

  #rejectAll(reason: Error): void {
    const all = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of all) reject(reason);
  }
}

/** The names of the methods of `T` that a thread can be asked to call. Each takes one value, or none. */
export type MethodOf<T> = { [M in keyof T]: T[M] extends (input: never) => unknown ? M : never }[keyof T];
export type MethodInput<T, M extends keyof T> = T[M] extends (input: infer Input) => unknown ? Input : never;
export type MethodOutput<T, M extends keyof T> = T[M] extends (input: never) => infer Output
  ? Awaited<Output>
  : never;

/** Calls methods of objects of the class `T` in a thread. The thread starts with the first call. */
export class ObjectThread<T> {
  readonly #options: Omit<WorkerThreadOptions<MethodResponse>, 'onDeath'>;
  #thread: WorkerThread<MethodCall, MethodResponse> | null = null;
  #nextId = 1;
  #isClosed = false;

  constructor(options: Omit<WorkerThreadOptions<MethodResponse>, 'onDeath'>) {
    this.#options = options;
  }

  /** True if the thread has started, has not died, and is not closed. */
  get isRunning(): boolean {
    return this.#thread !== null && !this.#isClosed;
  }

  /**
   * Calls a method. Byte arrays of the input and the output are transferred, not copied. Throws the error of the method, or
   * `AppError('cancelled')` after `close`.
   */
  async ask<M extends MethodOf<T>>(
    target: string,
    method: M,
    input: MethodInput<T, M>,
  ): Promise<MethodOutput<T, M>> {
    if (this.#isClosed) throw failure('cancelled', 'Cooper is quitting.');
    this.#thread ??= new WorkerThread({ ...this.#options, onDeath: () => (this.#thread = null) });
    const call = { id: this.#nextId++, target, method, input };
    const response = await this.#thread.ask(call, buffersOf(input));
    if (response.kind === 'failed') throw new AppFailure(response.error);
    return response.output as MethodOutput<T, M>;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.end(failure('cancelled', 'Cooper is quitting.'));
  }
}
