import type { HashTask } from './hash-messages.ts';
import { md5Lanes } from './md5-module.ts';

/** The minimum number of slices to hash in parallel. OpenSSL hashes fewer faster in sequence. */
const minTogether = 3;
/** The number of queued tasks to search for more slices. */
const looksAt = 64;

/** The fields of a task that decide whether it can be hashed with others. */
type Task =
  | Pick<HashTask, 'kind' | 'sizeBytes' | 'algorithm' | 'into'>
  | { readonly kind: 'read' | 'place' | 'write' | 'name' };

/**
 * Takes the first task from the queue, with slices to hash in parallel with it. All need only an MD5, and none is twice as long
 * as another, because the longest determines the time.
 */
export function takeSimilarTasks<T extends { readonly task: Task }>(queue: T[]): readonly T[] {
  const first = queue.shift();
  if (first === undefined) return [];
  const bytes = plainBytes(first.task);
  if (bytes === null) return [first];
  const indexes: number[] = [];
  for (const [index, { task }] of queue.slice(0, looksAt).entries()) {
    const other = plainBytes(task);
    if (other !== null && isAlike(bytes, other)) indexes.push(index);
    if (indexes.length + 1 === md5Lanes) break;
  }
  if (indexes.length + 1 < minTogether) return [first];
  const others = indexes.flatMap((index) => queue.slice(index, index + 1));
  for (const index of indexes.toReversed()) queue.splice(index, 1);
  return [first, ...others];
}

function isAlike(left: number, right: number): boolean {
  return left <= 2 * right && right <= 2 * left;
}

/** Returns the size of a slice that needs only an MD5; null for other tasks. */
function plainBytes(task: Task): number | null {
  return task.kind === 'hash' && task.algorithm === null && task.into === undefined ? task.sizeBytes : null;
}
