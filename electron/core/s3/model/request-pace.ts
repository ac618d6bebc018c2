/** Between which limits a pace moves. */
export interface PaceOptions {
  /** Requests in flight that no measurement goes below. */
  readonly least: number;
  /** Requests in flight that no measurement goes above: each may hold a socket and a page of memory. */
  readonly most: number;
}

const defaultPace: PaceOptions = { least: 16, most: 96 };
/** Above this share of its quickest answer a service is not waiting for itself: more requests give more answers. */
const growsFrom = 0.75;
/** Below it answers queue somewhere: more requests only wait longer. */
const shrinksBelow = 0.4;
const growth = 1.5;
const shrinkage = 0.85;
/** A refusal for too many requests halves what is in flight. */
const refusedShrinkage = 0.5;
/** A network may become slower for good: after so many rounds the quickest answers are believed a little less. */
const roundsOfBelief = 50;
const fading = 1.2;

/**
 * How many requests to one service are worth having in flight. By Little's law that number is throughput times latency, so a
 * distant service needs more of them than a near one. As in TCP Vegas, the quickest answer of a kind tells the latency without
 * a queue; while answers stay close to it the limit grows, and where they do not, requests queue and the limit shrinks.
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
  #mostInFlight = 0;
  #wasRefused = false;
  #rounds = 0;

  constructor(options: Partial<PaceOptions> = {}) {
    this.#options = { ...defaultPace, ...options };
    this.#limit = this.#options.least;
  }

  /** So many requests may be in flight, if the work at hand has memory for them. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** The limit never goes above this. */
  get most(): number {
    return this.#options.most;
  }

  began(): void {
    this.#inFlight += 1;
    this.#mostInFlight = Math.max(this.#mostInFlight, this.#inFlight);
  }

  ended(): void {
    this.#inFlight -= 1;
  }

  /** The time from sending a request to the first byte of its answer. Requests with large bodies do not count. */
  answered(operation: string, latencyMs: number): void {
    const quickestMs = Math.max(0.5, Math.min(latencyMs, this.#quickestMs.get(operation) ?? latencyMs));
    this.#quickestMs.set(operation, quickestMs);
    this.#shares += Math.min(1, quickestMs / Math.max(latencyMs, 0.5));
    this.#answers += 1;
    if (this.#answers >= this.#limit) this.#endRound();
  }

  /** 503 or 429: the service asks for fewer requests. Counts once in a round: what was in flight is refused together. */
  refused(): void {
    if (this.#wasRefused) return;
    this.#limit = this.#within(this.#limit * refusedShrinkage);
    this.#beginRound();
    this.#wasRefused = true;
  }

  #endRound(): void {
    const share = this.#shares / this.#answers;
    // A limit that was not used tells nothing about more.
    const wasUsed = this.#mostInFlight >= this.#limit * growsFrom;
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
    this.#mostInFlight = this.#inFlight;
    this.#wasRefused = false;
  }

  #within(limit: number): number {
    return Math.min(this.#options.most, Math.max(this.#options.least, limit));
  }
}
