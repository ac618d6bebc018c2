import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger, Random } from '../ports.ts';

interface DragCopiesDeps {
  /** The folder in which these downloads are placed. Created on first use and used by no other program. */
  readonly dir: string;
  readonly random: Pick<Random, 'id'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Returns true if a job in the queue downloads into a path that contains this id. */
  readonly isInUse: (id: string) => boolean;
}

/**
 * Creates folders for downloads that the user will drag out of the window. A folder stays until its job is cleared from
 * Transfers.
 */
export class DragCopies {
  readonly #deps: DragCopiesDeps;
  /** The ids of folders whose job has not been created yet. */
  readonly #held = new Set<string>();

  constructor(deps: DragCopiesDeps) {
    this.#deps = deps;
  }

  /** Creates a folder that only this user account can read, and calls `use` with its path. */
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

  /** Deletes the folders that no job uses. Logs failures. */
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
