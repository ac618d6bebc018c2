import path from 'node:path';
import { look } from '../disk/local-files.ts';

/** The state of the path to which a file is downloaded: free, through a link, or blocked by another entry. */
export type PathState = 'free' | 'link' | 'in-the-way';

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
    const found = await look(path.join(this.#root, ...segments));
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
    const found = await look(path.join(this.#root, ...segments));
    if (found === null || found.isDirectory()) return 'free';
    return found.isSymbolicLink() ? 'link' : 'in-the-way';
  }
}
