import { syncFolder } from './local-files.ts';

/** Syncs a folder once for all who ask meanwhile: a sync that had begun before does not count. */
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
    // Whose sync fails is for those who waited for it.
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

/** Long enough to spare thousands of looks, short enough that a folder moved away is noticed. */
const trustMs = 1000;

/** Folders that were made and found to lie inside the chosen one a moment ago. */
export class KnownFolders {
  readonly #seen = new Map<string, number>();

  async ensure(folder: string, nowMs: number, make: () => Promise<string>): Promise<string> {
    const seenMs = this.#seen.get(folder);
    if (seenMs !== undefined && nowMs - seenMs < trustMs) return folder;
    if (this.#seen.size > 1000) this.#seen.clear();
    const made = await make();
    this.#seen.set(folder, nowMs);
    return made;
  }
}
