import { expect, test } from 'vitest';
import { PageRoom } from '../../../../../electron/core/walks/pages/page-room.ts';

/** One round: as many pages as the limit allows, so many waiting after each. */
function round(room: PageRoom, waiting: (page: number) => number): void {
  const { limit } = room;
  for (let page = 0; page <= limit; page += 1) room.read(waiting(page));
}

test('where the queue drains more pages may be on their way, up to a bound', () => {
  const room = new PageRoom();
  const before = room.limit;
  round(room, () => 0);
  expect(room.limit).toBeGreaterThan(before);
  for (let at = 0; at < 50; at += 1) round(room, () => 1);
  expect(room.limit).toBe(room.most);
});

test('where pages queue all the time fewer may be on their way, but never so few that a thread would wait', () => {
  const room = new PageRoom();
  const before = room.limit;
  round(room, () => 5);
  expect(room.limit).toBeLessThan(before);
  for (let at = 0; at < 50; at += 1) round(room, () => 100);
  expect(room.limit).toBe(8);
});

test('pages that come in bursts, and are read before the next one, do not make it smaller', () => {
  const room = new PageRoom();
  for (let at = 0; at < 50; at += 1) {
    const { limit } = room;
    round(room, (page) => Math.max(0, limit - page - 1));
    expect(room.limit).toBeGreaterThanOrEqual(limit);
  }
});

test('a queue that keeps the threads at work and no more changes nothing', () => {
  const room = new PageRoom();
  const before = room.limit;
  round(room, (page) => (page === 3 ? 3 : 20));
  expect(room.limit).toBe(before);
});
