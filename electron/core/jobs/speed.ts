import type { Clock } from '../ports.ts';

const windowMs = 10_000;

/** Measures bytes per second over the last ten seconds. */
export class SpeedMeter {
  readonly #clock: Clock;
  #samples: { atMs: number; bytes: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  sample(bytes: number): void {
    const atMs = this.#clock.monotonicMs();
    const last = this.#samples.at(-1);
    // Fewer bytes than before mean that a new phase started.
    if (last !== undefined && bytes < last.bytes) this.#samples = [];
    if (last !== undefined && atMs - last.atMs < 100 && this.#samples.length > 1) last.bytes = bytes;
    else this.#samples.push({ atMs, bytes });
    while (this.#samples.length > 2 && atMs - (this.#samples[0]?.atMs ?? atMs) > windowMs)
      this.#samples.shift();
  }

  /** Returns the speed; null if there are too few samples. */
  bytesPerSecond(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.atMs - first.atMs < 500) return null;
    return ((last.bytes - first.bytes) * 1000) / (last.atMs - first.atMs);
  }
}
