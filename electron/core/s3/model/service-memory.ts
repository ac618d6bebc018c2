import type { Clock } from '../../ports.ts';
import { refusalLifetimeMs, type RefusalStore } from './refusal-store.ts';

/** The name of an optional header, parameter or request, such as `GetObject x-amz-checksum-mode`. */
export type Feature = string;

/** Returns the name of an optional header or parameter of an operation. */
export function featureOf(operation: string, field: string): Feature {
  return `${operation} ${field}`;
}

export type FeatureVerdict = 'accepted' | 'refused';

/** The time in ms after which a feature is tried again if a server error (5xx) followed it. The error may have another cause. */
const doubtfulMs = 10 * 60_000;

/** The time after which a stored acceptance is stored again, so that it expires a week after the last response that shows it. */
const renewalMs = 24 * 3_600_000;

type MemoryClock = Pick<Clock, 'monotonicMs' | 'nowMs'>;

/**
 * Remembers which optional features the service of a connection accepts. Refusals are stored, so that they are known after a
 * restart.
 */
export class ServiceMemory {
  readonly #clock: MemoryClock;
  readonly #store: RefusalStore;
  readonly #accepted = new Set<Feature>();
  /** The time at which each acceptance was stored. */
  readonly #storedAtMs = new Map<Feature, number>();
  /** The time at which each refusal expires. */
  readonly #refusedUntilMs = new Map<Feature, number>();
  /** The number of consecutive 5xx responses of each operation. */
  readonly #failures = new Map<string, number>();

  constructor(clock: MemoryClock, store: RefusalStore) {
    this.#clock = clock;
    this.#store = store;
    const [nowMs, startMs] = [clock.nowMs(), clock.monotonicMs()];
    for (const [feature, { atMs, limit, isAccepted = false }] of Object.entries(store.get()))
      if (isAccepted) {
        this.#accepted.add(feature);
        this.#storedAtMs.set(feature, atMs);
      } else if (limit === null)
        this.#refusedUntilMs.set(feature, startMs + atMs + refusalLifetimeMs - nowMs);
  }

  /** Returns whether the feature was accepted or refused; null if unknown. */
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

  /** Records that a feature is accepted, and stores it: requests use the feature only once that is known. */
  acceptsForLong(feature: Feature): void {
    this.accepts(feature);
    const [nowMs, storedAtMs] = [this.#clock.nowMs(), this.#storedAtMs.get(feature)];
    if (storedAtMs !== undefined && storedAtMs <= nowMs && nowMs - storedAtMs < renewalMs) return;
    this.#storedAtMs.set(feature, nowMs);
    this.#store.put(feature, { atMs: nowMs, limit: null, isAccepted: true });
  }

  /**
   * Records that the service refused a feature. `failure` means that it responded with a server error; this is remembered only
   * for a while and not stored.
   */
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
