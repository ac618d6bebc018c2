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

/** Returns the last segment of a key for titles, such as `b.bin` for `a/b.bin` and `b/` for `a/b/`. */
export function nameOfKey(key: string): string {
  return key.slice(parentFolder(key)?.length ?? 0);
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

/** Compares keys in the order of the service's listings: by UTF-8 bytes, which differs from JavaScript's string order. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return weight(left) - weight(right);
  }
  return a.length - b.length;
}

/** Returns a rank of a code unit. Surrogates encode code points above U+FFFF, so they sort after all others. */
function weight(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit <= 0xdfff ? unit + 0x2000 : unit - 0x800;
}

/** Returns the next name to try if a name is taken, such as `a (2).txt` for `a.txt`. */
export function numberedName(name: string, number: number): string {
  return markedName(name, String(number));
}

/** Returns `a (unverified).txt` for `a.txt`. In English for every language, since other people read the name too. */
export function unverifiedName(name: string): string {
  return markedName(name, 'unverified');
}

function markedName(name: string, mark: string): string {
  const slash = name.lastIndexOf('/');
  const dot = name.lastIndexOf('.');
  const at = dot > slash + 1 ? dot : name.length;
  return `${name.slice(0, at)} (${mark})${name.slice(at)}`;
}
