import type { ItemStore } from './items/item-store.ts';
import { foldOf, numberedName, type NameSystem } from './items/item-names.ts';
import type { DownloadItem, Item } from './items/transfer-item.ts';

export const nameSystem: NameSystem = process.platform === 'win32' ? 'windows' : 'posix';

/** Gives each item of a download a unique path: no two files have the same path, and no file has the path of a folder. */
export class Namer {
  readonly #items: ItemStore;
  readonly #jobId: string;
  readonly #folds: boolean;
  #lastFolder = '';

  constructor(items: ItemStore, jobId: string, folds: boolean) {
    this.#items = items;
    this.#jobId = jobId;
    this.#folds = folds;
  }

  /** Returns the objects that are not items of the job yet. A service may list a key on two pages. */
  fresh(found: readonly DownloadItem[]): readonly DownloadItem[] {
    const here = new Set<string>();
    return found.filter((item) => {
      const id = JSON.stringify([item.key, item.versionId]);
      if (here.has(id) || this.#has(item)) return false;
      here.add(id);
      return true;
    });
  }

  #has(item: DownloadItem): boolean {
    const isSame = (there: Item | null): boolean =>
      there?.work === 'download' && there.key === item.key && there.versionId === item.versionId;
    if (item.kind === 'folder')
      return isSame(this.#items.ofFold(this.#jobId, `${this.#fold(item.localName)}/`));
    // If its name was taken, the item was stored under a numbered name.
    let name = item.localName;
    for (let number = 2; this.#isTaken(name); number += 1) {
      if (isSame(this.#items.ofFold(this.#jobId, this.#fold(name)))) return true;
      name = numberedName(item.localName, number);
    }
    return false;
  }

  /** Stores the item under a unique path and returns it with that path. */
  put(item: DownloadItem): DownloadItem {
    if (item.state === 'skipped') {
      this.#items.put(this.#jobId, item);
      return item;
    }
    if (item.kind === 'folder') {
      this.#clearWay(item.localName);
      this.#items.put(this.#jobId, item, `${this.#fold(item.localName)}/`);
      return item;
    }
    this.#clearWay(item.localName.slice(0, Math.max(0, item.localName.lastIndexOf('/'))));
    const localName = this.#freeName(item.localName);
    const named: DownloadItem = localName === item.localName ? item : { ...item, localName, note: 'renamed' };
    this.#items.put(this.#jobId, named, this.#fold(localName));
    return named;
  }

  #fold(localName: string): string {
    return this.#folds ? foldOf(localName) : localName;
  }

  #freeName(localName: string): string {
    let name = localName;
    for (let number = 2; this.#isTaken(name); number += 1) name = numberedName(localName, number);
    return name;
  }

  #isTaken(localName: string): boolean {
    const fold = this.#fold(localName);
    return (
      this.#items.ofFold(this.#jobId, fold) !== null ||
      this.#items.ofFold(this.#jobId, `${fold}/`) !== null ||
      this.#items.hasBelow(this.#jobId, fold)
    );
  }

  /** Renames the item `a` if there are keys below `a/`, which need a folder with that name. */
  #clearWay(folder: string): void {
    if (folder === '' || folder === this.#lastFolder) return;
    this.#lastFolder = folder;
    const segments = folder.split('/');
    for (let depth = 1; depth <= segments.length; depth += 1) {
      const above = segments.slice(0, depth).join('/');
      const inTheWay = this.#items.ofFold(this.#jobId, this.#fold(above));
      if (inTheWay?.work !== 'download' || inTheWay.kind === 'folder') continue;
      let localName = above;
      for (let number = 2; localName === above || this.#isTaken(localName); number += 1)
        localName = numberedName(above, number);
      this.#items.put(this.#jobId, { ...inTheWay, localName, note: 'renamed' }, this.#fold(localName));
    }
  }
}
