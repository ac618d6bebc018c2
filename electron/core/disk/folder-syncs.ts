import { syncFolder } from '../store/safe-files.ts';
import type { MadeFolder } from './local-files.ts';

/** Flushes a folder to disk once for all callers that wait. A call during a running flush waits for the next one. */
export class FolderSyncs {
  readonly #waiting = new Map<string, Promise<void>>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #sync: (folder: string) => Promise<void>;

  constructor(sync: (folder: string) => Promise<void> = syncFolder) {
    this.#sync = sync;
  }

  async sync(folder: string): Promise<void> {
    const waiting = this.#waiting.get(folder);
    if (waiting !== undefined) {
      await waiting;
      return;
    }
    const next = this.#after(folder, this.#running.get(folder));
    this.#waiting.set(folder, next);
    await next;
  }

  async #after(folder: string, before: Promise<void> | undefined): Promise<void> {
    // A failed flush is reported to the callers that waited for it.
    await before?.catch(() => undefined);
    const running = this.#sync(folder);
    this.#waiting.delete(folder);
    this.#running.set(folder, running);
    try {
      await running;
    } finally {
      if (this.#running.get(folder) === running) this.#running.delete(folder);
    }
  }
}

/**
 * The time in ms for which a checked folder is trusted. It saves thousands of checks, and a moved folder is still noticed soon.
 */
const trustMs = 1000;

export interface KnownFolder {
  readonly path: string;
  /** True if the job created the folder in this run, so its content comes from the job or from a very recent writer. */
  readonly isCreatedByJob: boolean;
}

/** Remembers folders that were recently created, or found to be inside the chosen folder. */
export class KnownFolders {
  readonly #checkedFolders = new Map<string, KnownFolder & { readonly atMs: number }>();
  /** The checks in flight. Hundreds of files in one folder may need the same check at once. */
  readonly #inFlight = new Map<string, Promise<KnownFolder>>();

  async ensure(folder: string, nowMs: number, make: () => Promise<MadeFolder>): Promise<KnownFolder> {
    const lastCheck = this.#checkedFolders.get(folder);
    if (lastCheck !== undefined && nowMs - lastCheck.atMs < trustMs) return lastCheck;
    const inFlight = this.#inFlight.get(folder);
    if (inFlight !== undefined) return await inFlight;
    const pendingCheck = this.#checkFolder(folder, nowMs, make).finally(() => this.#inFlight.delete(folder));
    this.#inFlight.set(folder, pendingCheck);
    return await pendingCheck;
  }

  async #checkFolder(folder: string, nowMs: number, make: () => Promise<MadeFolder>): Promise<KnownFolder> {
    if (this.#checkedFolders.size > 1000) this.#checkedFolders.clear();
    const wasCreatedByJob = this.#checkedFolders.get(folder)?.isCreatedByJob ?? false;
    const { path, isNew } = await make();
    const known = { path, isCreatedByJob: isNew || wasCreatedByJob, atMs: nowMs };
    this.#checkedFolders.set(folder, known);
    return known;
  }
}
