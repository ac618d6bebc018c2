/** The limits of a pace. */
export interface PaceOptions {
  /** Minimum of requests in flight. */
  readonly least: number;
  /** Maximum of requests in flight: each may hold a socket and a page of memory. */
  readonly max: number;
}

const defaultPace: PaceOptions = { least: 16, max: 96 };
/** The limit grows while the mean of fastest to actual latency is above this: no requests queue. */
const growsFrom = 0.75;
/** Below this share requests queue at the service: more of them would only wait longer. */
const shrinksBelow = 0.4;
const growth = 1.5;
const shrinkage = 0.85;
/** A refusal for too many requests halves the limit. */
const refusedShrinkage = 0.5;
/** A network may become slower permanently: after this many rounds the recorded fastest latency is raised a little. */
const roundsOfBelief = 50;
const fading = 1.2;

/**
 * Measures how many requests to one service are worth having in flight. By Little's law that is throughput times latency, so a
 * distant service needs more than a near one. As in TCP Vegas, the fastest response of a kind gives the latency without a queue.
 * While responses stay close to it the limit grows; otherwise requests queue and it shrinks.
 * https://en.wikipedia.org/wiki/TCP_Vegas
 */
export class RequestPace {
  readonly #options: PaceOptions;
  readonly #quickestMs = new Map<string, number>();
  #limit: number;
  #inFlight = 0;
  /** Responses in this round. A round has as many responses as the limit allows in flight. */
  #answers = 0;
  #shares = 0;
  #maxInFlight = 0;
  #wasRefused = false;
  #rounds = 0;

  constructor(options: Partial<PaceOptions> = {}) {
    this.#options = { ...defaultPace, ...options };
    this.#limit = this.#options.least;
  }

  /** The number of requests worth having in flight; callers also need memory for them. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Upper bound of the limit. */
  get maxLimit(): number {
    return this.#options.max;
  }

  began(): void {
    this.#inFlight += 1;
    this.#maxInFlight = Math.max(this.#maxInFlight, this.#inFlight);
  }

  ended(): void {
    this.#inFlight -= 1;
  }

  /** Records the time from sending a request to the first byte of its response. Requests with large bodies do not count. */
  answered(operation: string, latencyMs: number): void {
    const quickestMs = Math.max(0.5, Math.min(latencyMs, this.#quickestMs.get(operation) ?? latencyMs));
    this.#quickestMs.set(operation, quickestMs);
    this.#shares += Math.min(1, quickestMs / Math.max(latencyMs, 0.5));
    this.#answers += 1;
    if (this.#answers >= this.#limit) this.#endRound();
  }

  /** Records a 503 or 429. Counts once per round, since requests in flight are refused together. */
  refused(): void {
    if (this.#wasRefused) return;
    this.#limit = this.#within(this.#limit * refusedShrinkage);
    this.#beginRound();
    this.#wasRefused = true;
  }

  #endRound(): void {
    const share = this.#shares / this.#answers;
    // A limit that was not reached gives no reason to raise it.
    const wasUsed = this.#maxInFlight >= this.#limit * growsFrom;
    if (share < shrinksBelow) this.#limit = this.#within(this.#limit * shrinkage);
    else if (share > growsFrom && wasUsed && !this.#wasRefused)
      this.#limit = this.#within(this.#limit * growth);
    this.#rounds += 1;
    if (this.#rounds % roundsOfBelief === 0)
      for (const [operation, quickestMs] of this.#quickestMs)
        this.#quickestMs.set(operation, quickestMs * fading);
    this.#beginRound();
  }

  #beginRound(): void {
    this.#answers = 0;
    this.#shares = 0;
    this.#maxInFlight = this.#inFlight;
    this.#wasRefused = false;
  }

  #within(limit: number): number {
    return Math.min(this.#options.max, Math.max(this.#options.least, limit));
  }
}
