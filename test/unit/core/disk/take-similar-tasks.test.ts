import { expect, test } from 'vitest';
import type { HashTask } from '../../../../electron/core/disk/hash-messages.ts';
import { takeSimilarTasks } from '../../../../electron/core/disk/take-similar-tasks.ts';

type Slice = Pick<HashTask, 'kind' | 'sizeBytes' | 'algorithm' | 'into'>;
const slice = (sizeBytes: number, more: Partial<Slice> = {}): { task: Slice } => ({
  task: { kind: 'hash', sizeBytes, algorithm: null, ...more },
});

test('eight slices of similar length are hashed together, and the others keep their order', () => {
  const queue = [10, 100, 12, 20, 5, 9, 11, 8, 13, 14, 15].map((size) => slice(size));
  expect(takeSimilarTasks(queue).map(({ task }) => task.sizeBytes)).toEqual([10, 12, 20, 5, 9, 11, 8, 13]);
  expect(queue.map(({ task }) => task.sizeBytes)).toEqual([100, 14, 15]);
});

test('two slices are hashed one after the other', () => {
  const queue = [slice(10), slice(10)];
  expect(takeSimilarTasks(queue)).toHaveLength(1);
  expect(queue).toHaveLength(1);
});

test('a slice that needs another checksum or keeps its bytes is hashed alone', () => {
  const kept = slice(10, { into: new SharedArrayBuffer(10) });
  const summed = slice(10, { algorithm: 'crc32c' });
  const read = { task: { kind: 'read' } as const };
  const queue = [kept, summed, read, slice(10), slice(10), slice(10)];
  expect(takeSimilarTasks(queue)).toEqual([kept]);
  expect(takeSimilarTasks(queue)).toEqual([summed]);
  expect(takeSimilarTasks(queue)).toEqual([read]);
  expect(takeSimilarTasks(queue)).toHaveLength(3);
  expect(takeSimilarTasks(queue)).toEqual([]);
});
