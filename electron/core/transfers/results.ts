import { lstat, realpath, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { failure } from '../../../shared/errors.ts';
import { checkReal } from '../disk/fence.ts';
import { namesIn } from '../disk/local-files.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { Shell, Logger, Random } from '../ports.ts';
import { itemOfWork } from './items/transfer-item.ts';
import type { TransferDriver } from './transfer-driver.ts';

interface ResultsDeps {
  readonly store: JobStore;
  readonly transferDriver: TransferDriver;
  readonly shell: Pick<Shell, 'revealInFolder' | 'startDrag'>;
}

/** The maximum number of items to read in order to find the top-level files and folders of a download. */
const maxItems = 5000;
const pageItems = 500;
const maxResults = 200;

/** Opens the files of finished downloads in the file manager or by dragging. Their paths are not sent to the window. */
export class DownloadResults {
  readonly #deps: ResultsDeps;

  constructor(deps: ResultsDeps) {
    this.#deps = deps;
  }

  /**
   * Shows the first downloaded file in the system's file manager. Throws `AppError('not-found')` if the job or its files do not
   * exist, and `AppError('invalid-argument')` if the job is not a download.
   */
  async reveal(jobId: string): Promise<void> {
    const [first] = await this.#pathsOf(jobId);
    if (first !== undefined) await this.#deps.shell.revealInFolder(first);
  }

  /** Starts a drag of the files in the system. Throws AppError('unsupported') if the host cannot do that. */
  async dragOut(jobId: string): Promise<void> {
    const { startDrag } = this.#deps.shell;
    if (startDrag === undefined)
      throw failure('unsupported', 'This host cannot pass files to other programs.', {
        reason: 'not-implemented',
      });
    await startDrag(await this.#pathsOf(jobId));
  }

  /** Returns the paths of the job's top-level files and folders that still exist. */
  async #pathsOf(jobId: string): Promise<readonly string[]> {
    const { store, transferDriver: driver } = this.#deps;
    const stored = store.load(jobId);
    if (stored === null) throw failure('not-found', 'There is no such job.', { reason: 'job-gone' });
    const isDownload = stored.kind === 'download';
    const folder = isDownload ? driver.parse(JSON.parse(stored.data)).folder : null;
    if (folder === null)
      throw failure('invalid-argument', 'This job is not a download.', { reason: 'not-a-transfer' });
    const names = new Set<string>();
    let afterSeq = -1;
    for (let read = 0; read < maxItems && names.size < maxResults; read += pageItems) {
      const page = driver.items.inState(jobId, 'done', afterSeq, pageItems);
      for (const item of page) names.add(itemOfWork(item, 'download').localName.split('/', 1)[0] ?? '');
      const last = page.at(-1);
      if (last === undefined) break;
      afterSeq = last.seq;
    }
    names.delete('');
    const paths = [...names].slice(0, maxResults).map((name) => path.join(folder, name));
    const found = await Promise.all(
      paths.map(async (file) => ((await existsInFolder(file, folder)) ? [file] : [])),
    );
    const existingPaths = found.flat();
    if (existingPaths.length === 0)
      throw failure('not-found', 'The downloaded files no longer exist.', { reason: 'results-gone' });
    return existingPaths;
  }
}

/** Returns true if the file exists inside the folder. A symbolic link does not count, since it may lead elsewhere. */
async function existsInFolder(file: string, folder: string): Promise<boolean> {
  try {
    const found = await lstat(file);
    if (found.isSymbolicLink()) return false;
    checkReal(await realpath(file), folder);
    return true;
  } catch {
    // A file that cannot be checked for any reason is not shown.
    return false;
  }
}

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
  readonly #pendingIds = new Set<string>();

  constructor(deps: DragCopiesDeps) {
    this.#deps = deps;
  }

  /** Creates a folder that only this user account can read, and calls `use` with its path. */
  async within<T>(use: (folder: string) => T): Promise<T> {
    const id = this.#deps.random.id();
    const folder = path.join(this.#deps.dir, id);
    this.#pendingIds.add(id);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return use(folder);
    } finally {
      this.#pendingIds.delete(id);
    }
  }

  /** Deletes the folders that no job uses. Logs failures. */
  async sweep(): Promise<void> {
    const { dir, isInUse, logger } = this.#deps;
    for (const id of await namesIn(dir)) {
      if (this.#pendingIds.has(id) || isInUse(id)) continue;
      await rm(path.join(dir, id), { recursive: true, force: true }).catch((thrown: unknown) => {
        logger.warn('Could not remove files that were fetched to be dragged out.', { err: thrown });
      });
    }
  }
}
