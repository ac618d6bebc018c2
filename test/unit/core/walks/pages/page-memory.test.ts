import { expect, test } from 'vitest';
import {
  PageRoom,
  PageWrites,
  SharedMemory,
  type LentMemory,
} from '../../../../../electron/core/walks/pages/page-memory.ts';

const lendAll = (memory: SharedMemory, count: number): readonly LentMemory[] =>
  Array.from({ length: count }, () => memory.lend());

test('threads remember a bounded number of shared buffers', () => {
  const memory = new SharedMemory();
  const remembered = new Set<number>();
  for (let round = 0; round < 20; round += 1) {
    const lent = lendAll(memory, 96);
    expect(new Set(lent.map(({ buffer }) => buffer)).size).toBe(96);
    for (const block of lent) if (block.isReusable) remembered.add(block.number);
    for (const block of lent) memory.giveBack(block);
  }
  expect(remembered.size).toBe(48);
});

test('returned buffers are lent again before new ones are allocated', () => {
  const memory = new SharedMemory();
  const first = lendAll(memory, 3);
  for (const block of first) memory.giveBack(block);
  expect(new Set(lendAll(memory, 3))).toEqual(new Set(first));
});

test('a body too large for its buffer moves to a larger one, which is not kept if far above the usual', () => {
  const memory = new SharedMemory();
  const small = memory.lend();
  new Uint8Array(small.buffer).set([1, 2, 3]);
  const larger = memory.grow(small, 3, small.buffer.byteLength + 1);
  expect(larger.buffer.byteLength).toBeGreaterThan(small.buffer.byteLength);
  expect([...new Uint8Array(larger.buffer, 0, 3)]).toEqual([1, 2, 3]);
  expect(larger.isReusable).toBe(true);
  const huge = memory.grow(larger, 3, 16 * 1024 * 1024);
  expect(huge.isReusable).toBe(false);
  memory.giveBack(huge);
  expect(memory.lend(16 * 1024 * 1024)).not.toBe(huge);
});

/** Reads as many pages as the limit permits. `waiting` returns how many are queued after each page. */
function round(room: PageRoom, waiting: (page: number) => number): void {
  const { limit } = room;
  for (let page = 0; page <= limit; page += 1) room.read(waiting(page));
}

test('the limit of pages in flight grows to a bound while the queue drains', () => {
  const room = new PageRoom();
  const before = room.limit;
  round(room, () => 0);
  expect(room.limit).toBeGreaterThan(before);
  for (let at = 0; at < 50; at += 1) round(room, () => 1);
  expect(room.limit).toBe(room.maxLimit);
});

test('the limit of pages in flight shrinks to a minimum while pages queue', () => {
  const room = new PageRoom();
  const before = room.limit;
  round(room, () => 5);
  expect(room.limit).toBeLessThan(before);
  for (let at = 0; at < 50; at += 1) round(room, () => 100);
  expect(room.limit).toBe(8);
});

test('bursts of pages that are read before the next burst do not shrink the limit', () => {
  const room = new PageRoom();
  for (let at = 0; at < 50; at += 1) {
    const { limit } = room;
    round(room, (page) => Math.max(0, limit - page - 1));
    expect(room.limit).toBeGreaterThanOrEqual(limit);
  }
});

test('a queue that just keeps the threads busy leaves the limit unchanged', () => {
  const room = new PageRoom();
  const before = room.limit;
  round(room, (page) => (page === 3 ? 3 : 20));
  expect(room.limit).toBe(before);
});

test('a listing has no room for more pages once rows could not be stored', async () => {
  const writes = new PageWrites(() => undefined);
  await writes.haveRoom();
  const full = new Error('The disk is full.');
  writes.add(Promise.reject(full));
  await expect(writes.all()).rejects.toBe(full);
  await expect(writes.haveRoom()).rejects.toBe(full);
  writes.add(Promise.resolve());
  await expect(writes.haveRoom()).rejects.toBe(full);
});
