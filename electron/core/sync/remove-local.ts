import { readdir, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { failure } from '../../../shared/errors.ts';
import { localFileFailure } from '../disk/disk-failure.ts';
import { settled, type ItemContext } from '../transfers/items/item-context.ts';
import { isPrivate, isPrivateFolder } from '../disk/fence.ts';
import { lstatOrNull } from '../disk/local-files.ts';
import { itemOfWork, type DownloadItem } from '../transfers/items/transfer-item.ts';
import { codeOf } from '../disk/small-files.ts';
import { isSameMoment } from '../transfers/items/mtime.ts';

/**
 * Returns the name under which a deletion is stored. These names sort like paths, so that entries that block a path can be found.
 */
export function removalFold(localName: string): string {
  return `remove:${localName}`;
}

/** The removals in flight, by path. */
const inFlight = new Map<string, Promise<DownloadItem>>();

/**
 * Moves a file or an empty folder to the trash, or deletes it if the system has none. Removes nothing behind a link, nothing that
 * changed after the plan was made, and no folder with content. Throws `AppError('storage')` if the system refuses.
 */
export async function removeLocal(context: ItemContext, item: DownloadItem): Promise<DownloadItem> {
  const { folder } = context.job;
  if (folder === null) throw failure('internal', 'The sync job has no local folder.');
  const name = path.join(folder, item.localName);
  // An entry may block several files, or be in the plans of several jobs. Only one removal runs; the next finds the entry gone.
  for (let running = inFlight.get(name); running !== undefined; running = inFlight.get(name))
    await running.catch(() => undefined);
  const work = remove(context, folder, item);
  inFlight.set(name, work);
  try {
    return await work;
  } catch (thrown) {
    throw localFileFailure(thrown);
  } finally {
    inFlight.delete(name);
  }
}

async function remove(context: ItemContext, root: string, item: DownloadItem): Promise<DownloadItem> {
  const done = settled(item, { state: 'done', note: 'removed' });
  const changed = settled(item, { state: 'skipped', note: 'changed-since' });
  const planned = item.sync?.target ?? null;
  const segments = item.localName.split('/');
  if (planned === null || segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    throw failure('internal', 'The deletion has no plan.');
  for (let depth = 1; depth < segments.length; depth += 1) {
    const above = await lstatOrNull(path.join(root, ...segments.slice(0, depth)));
    // A file has replaced the folder, so the folder's content is already gone.
    if (above === null || above.isFile()) return done;
    if (!above.isDirectory() || isPrivateFolder(above)) return changed;
  }
  const target = path.join(root, ...segments);
  const found = await lstatOrNull(target);
  if (found === null) return done;
  if (isPrivateFolder(found) || isPrivate(target)) return changed;
  const isFolder = item.kind === 'folder';
  if (found.isDirectory() !== isFolder) return found.isSymbolicLink() ? changed : done;
  if (isFolder) {
    if ((await readdir(target)).length > 0) return changed;
  } else {
    const isSame =
      found.isFile() &&
      Number(found.size) === planned.sizeBytes &&
      planned.modifiedAt !== null &&
      isSameMoment(Number(found.mtimeNs) / 1e6, Date.parse(planned.modifiedAt));
    if (!isSame) return changed;
  }
  context.signal.throwIfAborted();
  if (context.deps.trash !== null) await context.deps.trash(target);
  else await (isFolder ? rmdir(target) : unlink(target));
  await removeEmptied(root, segments.slice(0, -1), item.sync?.keep ?? '');
  return done;
}

/** Removes folders that became empty, up to the folder `keep`. Never removes a folder with content. */
async function removeEmptied(root: string, segments: readonly string[], keep: string): Promise<void> {
  const keptDepth = keep.split('/').filter((segment) => segment !== '').length;
  for (let depth = segments.length; depth > keptDepth; depth -= 1) {
    try {
      await rmdir(path.join(root, ...segments.slice(0, depth)));
    } catch (thrown) {
      const code = codeOf(thrown);
      if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOENT') return;
      throw thrown;
    }
  }
}

/**
 * Removes entries that block the path of a file to download, if the plan deletes them. Throws `AppError('storage')` if the disk
 * refuses, and `AppError('internal')` for a deletion that is not in the plan.
 */
export async function removeObstacles(context: ItemContext, item: DownloadItem): Promise<void> {
  const { items, job } = context;
  const segments = item.localName.split('/');
  for (let depth = 1; depth <= segments.length; depth += 1) {
    const above = items.ofFold(job.id, removalFold(segments.slice(0, depth).join('/')));
    if (above !== null) await removeLocal(context, itemOfWork(above, 'download'));
  }
  if (item.kind === 'folder') return;
  const below = `${removalFold(item.localName)}/`;
  let after = below;
  for (;;) {
    const page = items.withFolds(job.id, below, after, 100);
    for (const { item: stored } of page) await removeLocal(context, itemOfWork(stored, 'download'));
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.fold;
  }
}

/** The state of the path to which a file is downloaded: free, through a link, or blocked by another entry. */
type PathState = 'free' | 'link' | 'in-the-way';

const maxKnown = 2000;

/** Checks whether local paths are blocked. Checks each folder only once for all paths below it, and changes nothing. */
export class ObstacleWays {
  readonly #root: string;
  readonly #known = new Map<string, PathState>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Returns what blocks a path. With `asFolder`, the path is for a folder, so an existing folder does not block it. */
  async of(local: string, asFolder: boolean): Promise<PathState> {
    const segments = local.split('/');
    const above = await this.#folder(segments.slice(0, -1));
    if (above !== 'free') return above;
    const found = await lstatOrNull(path.join(this.#root, ...segments));
    if (found === null) return 'free';
    if (found.isSymbolicLink()) return 'link';
    return found.isDirectory() === asFolder ? 'free' : 'in-the-way';
  }

  async #folder(segments: readonly string[]): Promise<PathState> {
    if (segments.length === 0) return 'free';
    const name = segments.join('/');
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const above = await this.#folder(segments.slice(0, -1));
    const way = above === 'free' ? await this.#look(segments) : above;
    if (this.#known.size >= maxKnown) this.#known.clear();
    this.#known.set(name, way);
    return way;
  }

  async #look(segments: readonly string[]): Promise<PathState> {
    const found = await lstatOrNull(path.join(this.#root, ...segments));
    if (found === null || found.isDirectory()) return 'free';
    return found.isSymbolicLink() ? 'link' : 'in-the-way';
  }
}
