/** The limits of a pace. */
export interface PaceOptions {
  /** The minimum number of requests in flight. */
  readonly least: number;
  /** The maximum number of requests in flight, since each may need a socket and the memory for a page. */
  readonly max: number;
}

const defaultPace: PaceOptions = { least: 16, max: 96 };
/** If the average ratio of fastest to actual latency is above this, no requests queue at the service, and the limit grows. */
const growsFrom = 0.75;
/**
 * If the average ratio is below this, requests queue at the service, and the limit shrinks, because more of them would only wait
 * longer.
 */
const shrinksBelow = 0.4;
const growth = 1.5;
const shrinkage = 0.85;
/** The factor for the limit after the service refused requests as too many. */
const refusedShrinkage = 0.5;
/**
 * After this many rounds, the recorded fastest latency is raised slightly, because the network may have become slower
 * permanently.
 */
const roundsOfBelief = 50;
const fading = 1.2;

/**
 * Finds out how many requests should be in flight to one service: throughput times latency (Little's law), so more for a distant
 * service. As in TCP Vegas, the fastest response of an operation shows the latency without a queue. The limit grows while
 * responses stay close to that latency; otherwise it shrinks. https://en.wikipedia.org/wiki/TCP_Vegas
 */
export class RequestPace {
  readonly #options: PaceOptions;
  readonly #quickestMs = new Map<string, number>();
  #limit: number;
  #inFlight = 0;
  /** The number of responses in this round. A round ends after as many responses as the limit. */
  #answers = 0;
  #shares = 0;
  #maxInFlight = 0;
  #wasRefused = false;
  #rounds = 0;

  constructor(options: Partial<PaceOptions> = {}) {
    this.#options = { ...defaultPace, ...options };
    this.#limit = this.#options.least;
  }

  /** The number of requests that should be in flight. Callers may send fewer if they lack memory. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** The value that the limit never exceeds. */
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

  /** Records the time from sending a request to the first byte of its response. Not called for requests with large bodies. */
  answered(operation: string, latencyMs: number): void {
    const quickestMs = Math.max(0.5, Math.min(latencyMs, this.#quickestMs.get(operation) ?? latencyMs));
    this.#quickestMs.set(operation, quickestMs);
    this.#shares += Math.min(1, quickestMs / Math.max(latencyMs, 0.5));
    this.#answers += 1;
    if (this.#answers >= this.#limit) this.#endRound();
  }

  /** Records a 503 or 429 response. Counts once per round, because requests in flight are refused together. */
  refused(): void {
    if (this.#wasRefused) return;
    this.#limit = this.#within(this.#limit * refusedShrinkage);
    this.#beginRound();
    this.#wasRefused = true;
  }

  #endRound(): void {
    const share = this.#shares / this.#answers;
    // If fewer requests than allowed were in flight, raising the limit would be pointless.
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
