import { expect, test } from 'vitest';
import { PageRoom } from '../../../../../electron/core/walks/pages/page-room.ts';

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
