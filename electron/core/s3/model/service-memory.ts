import type { Clock } from '../../ports.ts';

/** An optional header, parameter or request, by name: `GetObject x-amz-checksum-mode`. */
export type Feature = string;

export type FeatureVerdict = 'accepted' | 'refused';

/** A failing server (5xx) may not reject the feature: it is tried again after this time. */
const doubtfulMs = 10 * 60_000;

/**
 * Remembers which optional features one service accepts, for one connection. Lives as long as the client, so that a changed
 * endpoint or account starts without memories.
 */
export class ServiceMemory {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #accepted = new Set<Feature>();
  /** When each refusal expires. */
  readonly #refusedUntilMs = new Map<Feature, number>();
  /** Consecutive 5xx responses, by operation. */
  readonly #failures = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Returns the verdict; null if unknown. */
  verdictOn(feature: Feature): FeatureVerdict | null {
    const untilMs = this.#refusedUntilMs.get(feature);
    if (untilMs !== undefined && this.#clock.monotonicMs() < untilMs) return 'refused';
    return this.#accepted.has(feature) ? 'accepted' : null;
  }

  allows(feature: Feature): boolean {
    return this.verdictOn(feature) !== 'refused';
  }

  accepts(feature: Feature): void {
    this.#accepted.add(feature);
    this.#refusedUntilMs.delete(feature);
  }

  /** Records a refusal. `because`: a refusal counts while the client lives, a failure only for a while. */
  refuses(feature: Feature, because: 'refusal' | 'failure' = 'refusal'): void {
    this.#accepted.delete(feature);
    const untilMs = because === 'refusal' ? Infinity : this.#clock.monotonicMs() + doubtfulMs;
    this.#refusedUntilMs.set(feature, untilMs);
  }

  failed(operation: string): void {
    this.#failures.set(operation, this.failuresOf(operation) + 1);
  }

  succeeded(operation: string): void {
    this.#failures.delete(operation);
  }

  failuresOf(operation: string): number {
    return this.#failures.get(operation) ?? 0;
  }
}
