import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { failure } from '../../../shared/errors.ts';
import { checkReal } from '../disk/fence.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { Shell } from '../ports.ts';
import { itemOfWork } from './items/transfer-item.ts';
import type { TransferDriver } from './transfer-driver.ts';

interface ResultsDeps {
  readonly store: JobStore;
  readonly transferDriver: TransferDriver;
  readonly shell: Pick<Shell, 'revealInFolder' | 'startDrag'>;
}

/** Maximum number of files checked for the top-level entries of a download. */
const maxItems = 5000;
const pageItems = 500;
const maxResults = 200;

/** The files of finished downloads. The window never learns their paths. */
export class DownloadResults {
  readonly #deps: ResultsDeps;

  constructor(deps: ResultsDeps) {
    this.#deps = deps;
  }

  /**
   * Shows the first result in the system's file manager. Throws AppError('not-found') without the job or its files,
   * AppError('invalid-argument') for a job that is no download.
   */
  async reveal(jobId: string): Promise<void> {
    const [first] = await this.#pathsOf(jobId);
    if (first !== undefined) await this.#deps.shell.revealInFolder(first);
  }

  /** Passes the files to the system's drag. Throws AppError('unsupported') if the host cannot. */
  async dragOut(jobId: string): Promise<void> {
    const { startDrag } = this.#deps.shell;
    if (startDrag === undefined)
      throw failure('unsupported', 'This host hands no files to the system.', { reason: 'not-implemented' });
    await startDrag(await this.#pathsOf(jobId));
  }

  /** Returns the paths of its top-level files and folders that still exist. */
  async #pathsOf(jobId: string): Promise<readonly string[]> {
    const { store, transferDriver: driver } = this.#deps;
    const stored = store.load(jobId);
    if (stored === null) throw failure('not-found', 'There is no such job.', { reason: 'job-gone' });
    const isDownload = stored.kind === 'download';
    const folder = isDownload ? driver.parse(JSON.parse(stored.data)).folder : null;
    if (folder === null)
      throw failure('invalid-argument', 'This job is no download.', { reason: 'not-a-transfer' });
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
    const found = await Promise.all(paths.map(async (file) => ((await isThere(file, folder)) ? [file] : [])));
    const there = found.flat();
    if (there.length === 0)
      throw failure('not-found', 'What was downloaded is not there any more.', { reason: 'results-gone' });
    return there;
  }
}

/** Returns true if the file exists inside the folder. A link that took its name may lead elsewhere. */
async function isThere(file: string, folder: string): Promise<boolean> {
  try {
    const found = await lstat(file);
    if (found.isSymbolicLink()) return false;
    checkReal(await realpath(file), folder);
    return true;
  } catch {
    // Whatever the reason, it cannot be shown.
    return false;
  }
}
