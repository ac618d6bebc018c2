import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger, Random } from '../ports.ts';

interface DragCopiesDeps {
  /** Folder used by this program only; created on first use. */
  readonly dir: string;
  readonly random: Pick<Random, 'id'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Returns true if a job of the queue downloads into a path that contains this id. */
  readonly isInUse: (id: string) => boolean;
}

/** Folders for downloads that are fetched to be dragged out. Each stays until its job is cleared from Transfers. */
export class DragCopies {
  readonly #deps: DragCopiesDeps;
  /** Folders whose job does not exist yet. */
  readonly #held = new Set<string>();

  constructor(deps: DragCopiesDeps) {
    this.#deps = deps;
  }

  /** Calls `use` with the path of a new folder, which only this account can read. */
  async within<T>(use: (folder: string) => T): Promise<T> {
    const id = this.#deps.random.id();
    const folder = path.join(this.#deps.dir, id);
    this.#held.add(id);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return use(folder);
    } finally {
      this.#held.delete(id);
    }
  }

  /** Removes the folders that no job uses. Logs what cannot be removed. */
  async sweep(): Promise<void> {
    const { dir, isInUse, logger } = this.#deps;
    for (const id of await readdir(dir).catch(noneIfAbsent)) {
      if (this.#held.has(id) || isInUse(id)) continue;
      await rm(path.join(dir, id), { recursive: true, force: true }).catch((thrown: unknown) => {
        logger.warn('Could not remove files that were fetched to be dragged out.', { err: thrown });
      });
    }
  }
}

function noneIfAbsent(thrown: unknown): readonly string[] {
  if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return [];
  throw thrown;
}
