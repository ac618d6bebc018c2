/** Prefixes are opaque text; `/` is the delimiter, and an empty segment is a folder like any other. */

/** Returns the folder of a prefix, up to and including its last `/`. For `photos/20`, this is `photos/`. */
export function folderOf(prefix: string): string {
  return prefix.slice(0, prefix.lastIndexOf('/') + 1);
}

/** Returns the parent folder, or null for the bucket's root. */
export function parentFolder(folder: string): string | null {
  return folder === '' ? null : folderOf(folder.slice(0, -1));
}

/** Returns the last segment: `b` for `a/b/` and `a/b`, '' for `a//`. */
export function lastSegment(keyOrPrefix: string): string {
  const end = keyOrPrefix.endsWith('/') ? keyOrPrefix.length - 1 : keyOrPrefix.length;
  return keyOrPrefix.slice(keyOrPrefix.lastIndexOf('/', end - 1) + 1, end);
}

export interface Crumb {
  readonly name: string;
  /** The folder this crumb opens. */
  readonly folder: string;
}

/** Returns the breadcrumbs of a folder, outermost first. */
export function crumbsOf(folder: string): readonly Crumb[] {
  const crumbs: Crumb[] = [];
  let start = 0;
  for (let end = folder.indexOf('/'); end !== -1; end = folder.indexOf('/', start)) {
    crumbs.push({ name: folder.slice(start, end), folder: folder.slice(0, end + 1) });
    start = end + 1;
  }
  return crumbs;
}
