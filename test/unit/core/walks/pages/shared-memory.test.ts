import { expect, test } from 'vitest';
import { SharedMemory, type Lent } from '../../../../../electron/core/walks/pages/shared-memory.ts';

const lendAll = (memory: SharedMemory, count: number): readonly Lent[] =>
  Array.from({ length: count }, () => memory.lend());

test('threads remember a bounded number of memories, however many are lent at once and how often', () => {
  const memory = new SharedMemory();
  const remembered = new Set<number>();
  for (let round = 0; round < 20; round += 1) {
    const lent = lendAll(memory, 96);
    expect(new Set(lent.map(({ buffer }) => buffer)).size).toBe(96);
    for (const one of lent) if (one.isKept) remembered.add(one.number);
    for (const one of lent) memory.giveBack(one);
  }
  expect(remembered.size).toBe(48);
});

test('memory that was given back is lent again before there is more of it', () => {
  const memory = new SharedMemory();
  const first = lendAll(memory, 3);
  for (const one of first) memory.giveBack(one);
  expect(new Set(lendAll(memory, 3))).toEqual(new Set(first));
});

test('a body that does not fit moves into larger memory; what is much larger than usual is not remembered', () => {
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
