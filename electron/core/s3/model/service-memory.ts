import type { Clock } from '../../ports.ts';
import { refusalLifetimeMs, type RefusalStore } from './refusal-store.ts';

/** An optional header, parameter or request, by name: `GetObject x-amz-checksum-mode`. */
export type Feature = string;

export type FeatureVerdict = 'accepted' | 'refused';

/** After a server error (5xx), which may not be about the feature, it is tried again after this time, in ms. */
const doubtfulMs = 10 * 60_000;

type MemoryClock = Pick<Clock, 'monotonicMs' | 'nowMs'>;

/** Remembers which optional features one service accepts, for one connection. Refusals are kept over restarts. */
export class ServiceMemory {
  readonly #clock: MemoryClock;
  readonly #store: RefusalStore;
  readonly #accepted = new Set<Feature>();
  /** When each refusal expires. */
  readonly #refusedUntilMs = new Map<Feature, number>();
  /** Consecutive 5xx responses, by operation. */
  readonly #failures = new Map<string, number>();

  constructor(clock: MemoryClock, store: RefusalStore) {
    this.#clock = clock;
    this.#store = store;
    const [nowMs, startMs] = [clock.nowMs(), clock.monotonicMs()];
    for (const [feature, { atMs, limit }] of Object.entries(store.get()))
      if (limit === null) this.#refusedUntilMs.set(feature, startMs + atMs + refusalLifetimeMs - nowMs);
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
    if (this.#refusedUntilMs.delete(feature)) this.#store.remove(feature);
  }

  /** Records a refusal. `because`: a refusal is stored, a failure counts only for a while. */
  refuses(feature: Feature, because: 'refusal' | 'failure' = 'refusal'): void {
    this.#accepted.delete(feature);
    const isKnown = !this.allows(feature);
    const lifetimeMs = because === 'refusal' ? refusalLifetimeMs : doubtfulMs;
    this.#refusedUntilMs.set(feature, this.#clock.monotonicMs() + lifetimeMs);
    if (because === 'refusal' && !isKnown)
      this.#store.put(feature, { atMs: this.#clock.nowMs(), limit: null });
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
