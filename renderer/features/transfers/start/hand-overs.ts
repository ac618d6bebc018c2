import type { TakeProgress } from '../../../rpc/dropped-files.ts';

/** The drops whose files are being handed to the core. Several run side by side, and one progress adds them up. */
export class HandOvers {
  readonly #running = new Map<AbortController, TakeProgress>();
  readonly #onProgress: (progress: TakeProgress | null) => void;

  /** Calls `onProgress` with the sum of all running hand-overs, or with null if none is running. */
  constructor(onProgress: (progress: TakeProgress | null) => void) {
    this.#onProgress = onProgress;
  }

  /** Runs one hand-over beside the others. Does not throw the error of a hand-over that was stopped. */
  async run(
    take: (signal: AbortSignal, onProgress: (progress: TakeProgress) => void) => Promise<void>,
  ): Promise<void> {
    const aborter = new AbortController();
    const put = (progress: TakeProgress): void => {
      this.#running.set(aborter, progress);
      this.#report();
    };
    put({ files: 0, sentBytes: 0 });
    try {
      await take(aborter.signal, put);
    } catch (thrown) {
      if (!aborter.signal.aborted) throw thrown;
    } finally {
      this.#running.delete(aborter);
      this.#report();
    }
  }

  /** Stops all hand-overs. */
  stop(): void {
    for (const aborter of this.#running.keys()) aborter.abort();
  }

  #report(): void {
    const all = [...this.#running.values()];
    const sum = (of: keyof TakeProgress): number => all.reduce((total, each) => total + each[of], 0);
    this.#onProgress(all.length === 0 ? null : { files: sum('files'), sentBytes: sum('sentBytes') });
  }
}
