import { expect, test } from 'vitest';
import { PageRoom } from '../../../../../electron/core/walks/pages/page-room.ts';

test('while the threads have little to read more pages may be on their way, up to a bound', () => {
  const room = new PageRoom();
  const before = room.limit;
  room.came(1);
  expect(room.limit).toBe(before + 1);
  for (let page = 0; page < 1000; page += 1) room.came(3);
  expect(room.limit).toBe(room.most);
});

test('while pages queue for the threads fewer may be on their way, but never so few that a thread would wait', () => {
  const room = new PageRoom();
  const before = room.limit;
  room.came(9);
  expect(room.limit).toBe(before - 1);
  for (let page = 0; page < 1000; page += 1) room.came(100);
  expect(room.limit).toBe(8);
  room.came(0);
  expect(room.limit).toBe(9);
});

test('a queue that keeps the threads at work and no more changes nothing', () => {
  const room = new PageRoom();
  const before = room.limit;
  for (const waiting of [4, 8, 6, 5]) room.came(waiting);
  expect(room.limit).toBe(before);
});
