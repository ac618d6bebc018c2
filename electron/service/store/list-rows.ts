import { keyBytes, successorOfKey, successorOfPrefix } from '../encoding.ts';
import type { ListPage, ListQuery } from './model.ts';

/** Sorts after every key, because UTF-8 contains no byte 0xFF. */
const aboveAllKeys = Buffer.of(0xff);
const firstBatch = 64;
const largestBatch = 1024;

/** Reads at most `limit` rows with from <= key < to, in byte order. */
export type RangeReader<Row> = (from: Uint8Array, to: Uint8Array, limit: number) => readonly Row[];

/**
 * Returns the lowest key that a page after `after` may contain; null if there is none. A common prefix `after` excludes all its
 * keys. A key `after` inside a common prefix excludes only that key, and the prefix is listed.
 */
export function startAfter(query: Pick<ListQuery, 'prefix' | 'delimiter' | 'after'>): Buffer | null {
  const lowest = keyBytes(query.prefix);
  const { after } = query;
  if (after === null) return lowest;
  const folder = commonPrefixOf(after, query.prefix, query.delimiter);
  const start = folder === after ? successorOfPrefix(keyBytes(folder)) : successorOfKey(keyBytes(after));
  if (start === null) return null;
  return Buffer.compare(start, lowest) < 0 ? lowest : start;
}

/** Returns the common prefix that represents a key; null if the key itself is listed. */
function commonPrefixOf(key: string, prefix: string, delimiter: string): string | null {
  if (delimiter === '' || !key.startsWith(prefix)) return null;
  const at = key.indexOf(delimiter, prefix.length);
  return at < 0 ? null : key.slice(0, at + delimiter.length);
}

/**
 * Returns one page of a listing. With a delimiter, it jumps from the first key of a common prefix to the first key after that
 * prefix. So the cost of a page does not depend on the number of keys in folders. `skip` reads the first key of each entry in one
 * query. Without it, batches shrink where folders are large, because most of their rows would be skipped.
 */
export function listPage<Row>(
  query: ListQuery,
  keyOf: (row: Row) => string,
  read: RangeReader<Row>,
  skip?: RangeReader<Row>,
): ListPage<Row> {
  const rows: Row[] = [];
  const commonPrefixes: string[] = [];
  const upper = successorOfPrefix(keyBytes(query.prefix)) ?? aboveAllKeys;
  let from = query.limit === 0 ? null : startAfter(query);
  let batch = query.delimiter === '' ? query.limit + 1 : Math.min(firstBatch, query.limit + 1);
  let reader = read;
  while (from !== null) {
    const found = reader(from, upper, batch);
    const before = rows.length + commonPrefixes.length;
    let folder: string | null = null;
    for (const row of found) {
      const key = keyOf(row);
      if (folder !== null && key.startsWith(folder)) continue;
      folder = commonPrefixOf(key, query.prefix, query.delimiter);
      if (rows.length + commonPrefixes.length === query.limit) {
        return { rows, commonPrefixes, isTruncated: true };
      }
      if (folder === null) rows.push(row);
      else commonPrefixes.push(folder);
    }
    const last = found.at(-1);
    if (last === undefined || found.length < batch) break;
    from = folder === null ? successorOfKey(keyBytes(keyOf(last))) : successorOfPrefix(keyBytes(folder));
    const useful = rows.length + commonPrefixes.length - before;
    if (useful * 2 > batch) batch = Math.min(batch * 4, largestBatch);
    else if (useful * 4 <= batch) {
      batch = Math.max(1, batch >> 2);
      if (skip !== undefined) {
        reader = skip;
        batch = query.limit + 1 - rows.length - commonPrefixes.length;
      }
    }
  }
  return { rows, commonPrefixes, isTruncated: false };
}

/** A source of rows in which several rows may have the same key. */
export interface ManyPerKey<Row> {
  readonly keyOf: (row: Row) => string;
  readonly range: RangeReader<Row>;
  /** Returns the rows of the same key that follow `row`. */
  readonly rest: (row: Row, limit: number) => readonly Row[];
  /** Returns the rows of key `after` that follow the version marker; empty without such a marker. */
  readonly restAfterMarker: (after: string, limit: number) => readonly Row[];
}

/** Returns one page of rows, several of which may have the same key. A page may end between two rows of a key. */
export function listManyPerKey<Row>(query: ListQuery, source: ManyPerKey<Row>): ListPage<Row> {
  const { after, prefix, delimiter, limit } = query;
  const isInside =
    after !== null && after.startsWith(prefix) && commonPrefixOf(after, prefix, delimiter) === null;
  const rest = isInside ? source.restAfterMarker(after, limit + 1) : [];
  if (rest.length > limit) return { rows: rest.slice(0, limit), commonPrefixes: [], isTruncated: true };
  const room = limit - rest.length;
  // If the page is full, reads one more entry to find out whether it is truncated.
  const page = listPage<Row>({ ...query, limit: Math.max(room, 1) }, source.keyOf, (from, to, batch) => {
    const rows = source.range(from, to, batch);
    const last = rows.at(-1);
    if (last === undefined || rows.length < batch) return rows;
    // The next read starts after the last key, so this batch must contain all rows of that key.
    const more = source.rest(last, limit + 1);
    return more.length === 0 ? rows : [...rows, ...more];
  });
  if (room > 0) return { ...page, rows: [...rest, ...page.rows] };
  const hasMore = limit > 0 && page.rows.length + page.commonPrefixes.length > 0;
  return { rows: rest, commonPrefixes: [], isTruncated: hasMore };
}
