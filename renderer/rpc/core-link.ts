import type { ClientContext, ClientLink, ClientOptions } from '@orpc/client';
import { ORPCError } from '@orpc/client';
import { createStore } from 'zustand/vanilla';
import { failure } from '../../shared/errors.ts';

/** The reason why the user must sign in with a new code: there was none, or the host rejected it. */
export type NeedsCodeReason = 'none' | 'used' | 'expired' | 'unknown' | 'too-many-tries' | 'restarted';

export type CloseReason =
  { readonly kind: 'lost' } | { readonly kind: 'needs-code'; readonly reason: NeedsCodeReason };

/** An open channel to the core. */
export interface Channel {
  readonly link: ClientLink<ClientContext>;
  /** Resolves once, when the channel closes. */
  readonly closed: Promise<CloseReason>;
}

/** Opens a channel, or returns the reason why this failed. */
export type Transport = () => Promise<Channel | CloseReason>;

export type CoreStatus =
  | { readonly kind: 'connecting' }
  /** `generation` counts the channels. The first has 1, and each reconnect adds 1. */
  | { readonly kind: 'ready'; readonly generation: number }
  | { readonly kind: 'lost'; readonly failedTries: number }
  | { readonly kind: 'needs-code'; readonly reason: NeedsCodeReason };

export interface Timer {
  set(run: () => void, delayMs: number): () => void;
  /** Returns a uniform random number in [0, 1). */
  fraction(): number;
}

const firstDelayMs = 500;
const longestDelayMs = 15_000;

/** Returns the delay before the next attempt, by exponential backoff with jitter. Tabs thus do not reconnect simultaneously. */
export function reconnectDelayMs(failedTries: number, fraction: number): number {
  const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(failedTries, 10));
  return Math.round(ceiling / 2 + (ceiling / 2) * fraction);
}

const browserTimer: Timer = {
  set: (run, delayMs) => {
    const id = setTimeout(run, delayMs);
    return () => clearTimeout(id);
  },
  fraction: () => Math.random(),
};

/** The window's permanent link to the core. Opens a new channel whenever one closes. */
export class CoreLink implements ClientLink<ClientContext> {
  readonly store = createStore<{ readonly status: CoreStatus }>()(() => ({ status: { kind: 'connecting' } }));
  #channel: Channel | null = null;
  #transport: Transport | null = null;
  #generation = 0;
  #failedTries = 0;
  #cancelRetry: (() => void) | null = null;
  #opening = false;
  readonly #timer: Timer;

  constructor(timer: Timer = browserTimer) {
    this.#timer = timer;
  }

  /** Starts connecting. Calls made earlier wait for the first channel. */
  start(transport: Transport): void {
    this.#transport = transport;
    void this.#open();
  }

  /** Retries now instead of waiting for the next attempt. */
  tryNow(): void {
    if (this.status().kind === 'lost') void this.#open();
  }

  status(): CoreStatus {
    return this.store.getState().status;
  }

  async call(
    path: readonly string[],
    input: unknown,
    options: ClientOptions<ClientContext>,
  ): Promise<unknown> {
    const channel = this.#channel ?? (await this.#firstChannel(options.signal));
    try {
      return await channel.link.call(path, input, options);
    } catch (thrown) {
      if (thrown instanceof ORPCError || options.signal?.aborted === true || this.#channel === channel)
        throw thrown;
      throw disconnected(thrown);
    }
  }

  #firstChannel(signal: AbortSignal | undefined): Promise<Channel> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        if (this.#channel === null && this.status().kind === 'connecting' && signal?.aborted !== true) return;
        stop();
        signal?.removeEventListener('abort', settle);
        if (this.#channel !== null) resolve(this.#channel);
        else
          reject(
            signal?.aborted === true ? failure('cancelled', 'The request was cancelled.') : disconnected(),
          );
      };
      const stop = this.store.subscribe(settle);
      signal?.addEventListener('abort', settle);
      settle();
    });
  }

  async #open(): Promise<void> {
    if (this.#opening || this.#transport === null) return;
    this.#opening = true;
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    let outcome: Channel | CloseReason;
    try {
      outcome = await this.#transport();
    } catch {
      // Any error counts as a lost connection.
      outcome = { kind: 'lost' };
    }
    this.#opening = false;
    if ('link' in outcome) this.#opened(outcome);
    else this.#ended(outcome);
  }

  #opened(channel: Channel): void {
    this.#channel = channel;
    this.#failedTries = 0;
    this.#generation += 1;
    this.#set({ kind: 'ready', generation: this.#generation });
    void this.#awaitEnd(channel);
  }

  async #awaitEnd(channel: Channel): Promise<void> {
    const reason = await channel.closed;
    if (this.#channel !== channel) return;
    this.#channel = null;
    this.#ended(reason);
  }

  #ended(reason: CloseReason): void {
    if (reason.kind === 'needs-code') {
      this.#set(reason);
      return;
    }
    this.#set({ kind: 'lost', failedTries: this.#failedTries });
    const delayMs = reconnectDelayMs(this.#failedTries, this.#timer.fraction());
    this.#failedTries += 1;
    this.#cancelRetry = this.#timer.set(() => void this.#open(), delayMs);
  }

  #set(status: CoreStatus): void {
    this.store.setState({ status });
  }
}

function disconnected(cause?: unknown): Error {
  return failure('disconnected', 'The connection to the program was lost.', {
    retry: 'backoff',
    outcome: 'unknown',
    cause,
  });
}
