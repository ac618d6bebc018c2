import { numberedName } from '../../../../shared/keys/paths.ts';
import type { ItemStore } from './item-store.ts';
import type { DownloadItem, Item } from './transfer-item.ts';

/** The rules for file names of a file system. */
export type NameSystem = 'posix' | 'windows';

/**
 * The escape character ‛ (U+201B). rclone uses it too (https://rclone.org/overview/#restricted-filenames), and it is rare in
 * names. `‛XX` is a byte, `‛‛` the character itself, `‛_` an empty segment. `‛~` at the end means that the next folder level
 * continues the segment.
 */
const quote = '\u201B';
const emptySegment = `${quote}_`;
const continuationMark = `${quote}~`;
const maxNameUnits = 255;
/** Matches paths that need no escapes and contain nothing that looks like an escape. */
const plainPath = /^[\w-][\w.-]{0,99}(?:\/[\w-][\w.-]{0,99})*$/;

/** Returns the local path of a key below its folder, in segments. It is unique and never leads out of the folder. */
export function segmentsOfKey(relativeKey: string, system: NameSystem): readonly string[] {
  const segments = relativeKey.split('/');
  // A fast path for most keys, since there may be millions.
  if (system === 'posix' && plainPath.test(relativeKey)) return segments;
  const forced = escapeAll(segments, system);
  const isForced =
    forced.length !== segments.length || forced.some((name, index) => name !== segments[index]);
  // A name that looks like an escaped one is escaped too, so that no two keys have the same path.
  const plain = segments.map((segment) => escapeSegment(segment, system, false));
  const plainIsEnough =
    plain.every((name, index) => name === segments[index] && unitsOf(name, system) <= maxNameUnits) &&
    (!isForced || !isCanonical(segments, system));
  return plainIsEnough ? segments : forced;
}

/**
 * Returns the key for a local path below its folder. The inverse of segmentsOfKey. A path that segmentsOfKey never returns is
 * used as the key.
 */
export function keyOfSegments(segments: readonly string[], system: NameSystem): string {
  const originalKey = unescape(segments);
  if (originalKey === null) return segments.join('/');
  return isCanonical(segments, system) ? originalKey : segments.join('/');
}

/** Returns true if segmentsOfKey escapes another key to exactly this path. */
function isCanonical(segments: readonly string[], system: NameSystem): boolean {
  if (!segments.some((segment) => segment.includes(quote))) return false;
  const originalKey = unescape(segments);
  if (originalKey === null || originalKey === segments.join('/')) return false;
  const escapedAgain = segmentsOfKey(originalKey, system);
  return (
    escapedAgain.length === segments.length && escapedAgain.every((name, index) => name === segments[index])
  );
}

function escapeAll(segments: readonly string[], system: NameSystem): readonly string[] {
  return segments.flatMap((segment) => cut(escapeSegment(segment, system, true), system));
}

function escapeSegment(segment: string, system: NameSystem, quoteSign: boolean): string {
  if (segment === '') return emptySegment;
  if (segment === '.' || segment === '..') return bytesOf(segment);
  let text = '';
  const characters = Array.from(segment);
  for (const [index, character] of characters.entries()) {
    const isLast = index === characters.length - 1;
    if (character === quote) text += quoteSign ? quote + quote : quote;
    else if (isUnfit(character, system) || (isLast && isUnfitAtEnd(character, system)))
      text += bytesOf(character);
    else text += character;
  }
  if (
    system === 'windows' &&
    /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i.test(text)
  )
    return bytesOf(text.charAt(0)) + text.slice(1);
  return text;
}

function isUnfit(character: string, system: NameSystem): boolean {
  if (character === '\0') return true;
  if (system === 'posix') return false;
  return character < ' ' || '<>:"|?*\\'.includes(character);
}

function isUnfitAtEnd(character: string, system: NameSystem): boolean {
  return system === 'windows' && (character === '.' || character === ' ');
}

function bytesOf(text: string): string {
  return [...new TextEncoder().encode(text)]
    .map((byte) => quote + byte.toString(16).toUpperCase().padStart(2, '0'))
    .join('');
}

/** Returns the length of a name in the unit of the system's limit: UTF-16 units on Windows, otherwise UTF-8 bytes. */
function unitsOf(name: string, system: NameSystem): number {
  return system === 'windows' ? name.length : new TextEncoder().encode(name).byteLength;
}

/** Splits a name that is too long into several folder levels. Each piece but the last ends with `‛~`. */
function cut(name: string, system: NameSystem): readonly string[] {
  if (unitsOf(name, system) <= maxNameUnits) return [name];
  // Leaves space for `‛~` and for escapes that the piece may need.
  const maxPieceUnits = maxNameUnits - unitsOf(continuationMark, system) - 16;
  const pieces: string[] = [];
  let piece = '';
  let units = 0;
  for (const token of tokensOf(name)) {
    const size = unitsOf(token, system);
    if (units + size > maxPieceUnits) {
      pieces.push(piece);
      piece = '';
      units = 0;
    }
    piece += token;
    units += size;
  }
  pieces.push(piece);
  return pieces
    .map((text, index) => (index === pieces.length - 1 ? text : text + continuationMark))
    .flatMap((text) => fitPiece(text, system));
}

/** Escapes a piece that splitting made an invalid name, such as `..`, a device name, or a name that ends with a dot. */
function fitPiece(piece: string, system: NameSystem): readonly string[] {
  if (piece.endsWith(continuationMark) && piece !== continuationMark) {
    const body = piece.slice(0, -continuationMark.length);
    return [refit(body, system, false) + continuationMark];
  }
  return [refit(piece, system, true)];
}

function refit(body: string, system: NameSystem, isWhole: boolean): string {
  if (isWhole && (body === '.' || body === '..')) return bytesOf(body);
  if (system === 'windows' && /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i.test(body))
    return bytesOf(body.charAt(0)) + body.slice(1);
  return body;
}

/** Splits a name into characters and escape sequences, which must not be split. */
function tokensOf(name: string): readonly string[] {
  return name.match(new RegExp(`${quote}${quote}|${quote}_|(?:${quote}[0-9A-F]{2})+|[^]`, 'gu')) ?? [];
}

/** Returns the key that was escaped to these segments; null if they are not a valid escape. */
function unescape(segments: readonly string[]): string | null {
  const joinedSegments: string[] = [];
  let open: string | null = null;
  for (const segment of segments) {
    // An escaped `‛` is written twice, so `‛~` is a mark only after an odd number of `‛`.
    const quoteCount = new RegExp(`(${quote}+)~$`).exec(segment)?.[1]?.length ?? 0;
    const isContinued = quoteCount % 2 === 1;
    const text: string = (open ?? '') + (isContinued ? segment.slice(0, -continuationMark.length) : segment);
    if (isContinued) open = text;
    else {
      joinedSegments.push(text);
      open = null;
    }
  }
  if (open !== null) return null;
  const originalSegments = joinedSegments.map(unescapeSegment);
  return originalSegments.includes(null) ? null : originalSegments.join('/');
}

function unescapeSegment(name: string): string | null {
  if (name === emptySegment) return '';
  if (!name.includes(quote)) return name;
  const tokens =
    name.match(new RegExp(`${quote}${quote}|(?:${quote}[0-9A-F]{2})+|[^${quote}]+|[^]`, 'gu')) ?? [];
  let text = '';
  for (const token of tokens) {
    if (token === quote + quote) text += quote;
    else if (token === quote) return null;
    else if (token.startsWith(quote)) {
      const bytes = token
        .split(quote)
        .slice(1)
        .map((hex) => Number.parseInt(hex, 16));
      try {
        text += new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(new Uint8Array(bytes));
      } catch {
        return null;
      }
    } else text += token;
  }
  return text.includes('/') ? null : text;
}

/** Returns the name in the form in which a case-insensitive, normalizing file system compares it. */
export function foldOf(relativePath: string): string {
  return relativePath.normalize('NFC').toLowerCase().normalize('NFC');
}

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
    const visitedIds = new Set<string>();
    return found.filter((item) => {
      const id = JSON.stringify([item.key, item.versionId]);
      if (visitedIds.has(id) || this.#has(item)) return false;
      visitedIds.add(id);
      return true;
    });
  }

  #has(item: DownloadItem): boolean {
    const isSame = (storedItem: Item | null): boolean =>
      storedItem?.work === 'download' &&
      storedItem.key === item.key &&
      storedItem.versionId === item.versionId;
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
      const blockingItem = this.#items.ofFold(this.#jobId, this.#fold(above));
      if (blockingItem?.work !== 'download' || blockingItem.kind === 'folder') continue;
      let localName = above;
      for (let number = 2; localName === above || this.#isTaken(localName); number += 1)
        localName = numberedName(above, number);
      this.#items.put(this.#jobId, { ...blockingItem, localName, note: 'renamed' }, this.#fold(localName));
    }
  }
}
