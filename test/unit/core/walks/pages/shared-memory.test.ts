import { expect, test } from 'vitest';
import { SharedMemory, type LentMemory } from '../../../../../electron/core/walks/pages/shared-memory.ts';

const lendAll = (memory: SharedMemory, count: number): readonly LentMemory[] =>
  Array.from({ length: count }, () => memory.lend());

test('threads remember a bounded number of shared buffers', () => {
  const memory = new SharedMemory();
  const remembered = new Set<number>();
  for (let round = 0; round < 20; round += 1) {
    const lent = lendAll(memory, 96);
    expect(new Set(lent.map(({ buffer }) => buffer)).size).toBe(96);
    for (const block of lent) if (block.isKept) remembered.add(block.number);
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
  expect(larger.isKept).toBe(true);
  const huge = memory.grow(larger, 3, 16 * 1024 * 1024);
  expect(huge.isKept).toBe(false);
  memory.giveBack(huge);
  expect(memory.lend(16 * 1024 * 1024)).not.toBe(huge);
});
