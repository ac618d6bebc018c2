import { toAppError } from '../../../../shared/errors.ts';
import { compareUtf8 } from '../../s3/model/encode.ts';
import type { ListedObject, ListObjectsPage } from '../../s3/model/listing-types.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import { Coalescer } from '../../flow/coalescer.ts';

/** The state of a key in a listing that was requested after `look` was called. For `unknown`, the caller sends HEAD instead. */
export type ListedLook =
  | { readonly kind: 'present'; readonly object: ListedObject }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown' };

const unknown: ListedLook = { kind: 'unknown' };
const absent: ListedLook = { kind: 'absent' };

/** The maximum number of keys on a page of a listing. */
const maxPageKeys = 1000;
const minPageKeys = 100;
/** The minimum number of wanted keys on a page for which a listing is cheaper than HEAD requests. */
const minUsefulKeys = 4;
/** After this many consecutive pages with too few wanted keys, the keys are no longer checked by listings. */
const maxStrikes = 3;

/**
 * Checks many keys of a bucket with few listing pages instead of a HEAD request for each. Neighbouring keys share a page. Returns
 * `unknown` if keys are far apart, or if the service's listing is unreliable.
 */
export class ListedLooks {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #signal: AbortSignal;
  readonly #batches: Coalescer<string, ListedLook>;
  #isOff = false;
  #strikes = 0;

  /** Creates the checks for one run of a job. `signal` aborts their requests. */
  constructor(client: S3Client, bucket: string, signal: AbortSignal) {
    this.#client = client;
    this.#bucket = bucket;
    this.#signal = signal;
    this.#batches = new Coalescer({
      size: maxPageKeys,
      atOnce: 2,
      send: async (keys) => await this.lookAt(keys),
    });
  }

  /** Returns the current state of one key. Concurrent calls share a listing. */
  async look(key: string): Promise<ListedLook> {
    return this.#isOff ? unknown : await this.#batches.add(key);
  }

  /** Returns the current state of each key, in the given order. Throws errors after which a retry may help. */
  async lookAt(keys: readonly string[]): Promise<readonly ListedLook[]> {
    const looksByKey = new Map<string, ListedLook>();
    if (!this.#isOff)
      try {
        await this.#lookUp([...new Set(keys)].toSorted(compareUtf8), looksByKey);
      } catch (thrown) {
        const { code, retry } = toAppError(thrown);
        // Listing is impossible, so the caller checks each key with HEAD.
        if (retry === 'backoff' || code === 'cancelled' || code === 'auth-expired') throw thrown;
        this.#isOff = true;
        looksByKey.clear();
      }
    return keys.map((key) => looksByKey.get(key) ?? unknown);
  }

  async #lookUp(sorted: readonly string[], looksByKey: Map<string, ListedLook>): Promise<void> {
    const prefix = commonPrefix(sorted.at(0) ?? '', sorted.at(-1) ?? '');
    let rest = sorted;
    let lastListedKey: string | null = null;
    while (rest.length > 0) {
      const [first = ''] = rest;
      const after = later(lastListedKey, justBefore(first, prefix));
      const page: ListObjectsPage = await this.#client.listObjects(
        {
          bucket: this.#bucket,
          ...(prefix === '' ? {} : { prefix }),
          ...(after === null ? {} : { startAfter: after }),
          maxKeys: Math.min(maxPageKeys, Math.max(minPageKeys, 2 * rest.length)),
        },
        { signal: this.#signal },
      );
      if (!isInOrder(page.objects, after)) {
        this.#isOff = true;
        looksByKey.clear();
        return;
      }
      const last = page.objects.at(-1)?.key ?? null;
      const isEnd = page.nextPageToken === null;
      // A page without keys that is not the last one shows nothing about the keys.
      if (last === null && !isEnd) return;
      const objectsByKey = new Map(page.objects.map((object) => [object.key, object]));
      const settled = rest.filter((key) => isEnd || (last !== null && compareUtf8(key, last) <= 0));
      for (const key of settled) {
        const object = objectsByKey.get(key);
        looksByKey.set(key, object === undefined ? absent : { kind: 'present', object });
      }
      rest = rest.slice(settled.length);
      lastListedKey = last;
      if (rest.length > 0 && settled.length < minUsefulKeys) {
        this.#strikes += 1;
        if (this.#strikes >= maxStrikes) this.#isOff = true;
        return;
      }
    }
    this.#strikes = 0;
  }
}

/** Returns true if the keys of a page are sorted and come after `after`. */
function isInOrder(objects: readonly ListedObject[], after: string | null): boolean {
  let before = after;
  for (const { key } of objects) {
    if (before !== null && compareUtf8(before, key) >= 0) return false;
    before = key;
  }
  return true;
}

function later(left: string | null, right: string | null): string | null {
  if (left === null || right === null) return left ?? right;
  return compareUtf8(left, right) < 0 ? right : left;
}

/** Returns the start that two keys share, in whole characters. All keys between them share it too. */
export function commonPrefix(left: string, right: string): string {
  let prefix = '';
  for (const character of left) {
    if (!right.startsWith(prefix + character)) break;
    prefix += character;
  }
  // A key that ends inside a surrogate pair would not be valid text.
  return prefix;
}

/**
 * Returns a text that sorts shortly before a key, to start a listing there. Null starts at the beginning of the prefix. A bad
 * guess only makes the page less useful.
 */
export function justBefore(key: string, prefix: string): string | null {
  const characters = Array.from(key);
  const last = characters.pop() ?? '';
  const above = characters.join('');
  const code = last.codePointAt(0) ?? 0;
  const isPlain = code > 0x21 && code <= 0x7e;
  const before = isPlain ? `${above}${String.fromCodePoint(code - 1)}~` : above;
  return compareUtf8(before, prefix) <= 0 || before === '' ? null : before;
}
