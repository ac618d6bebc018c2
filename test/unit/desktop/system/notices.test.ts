import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { gatherMs, gatherNotices, type SystemNotice } from '../../../../electron/desktop/system/notices.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const notice = (title: string): SystemNotice => ({ title, body: '' });

test('a few are told one by one, many by their number', () => {
  const shown: string[] = [];
  const tell = gatherNotices(({ title }) => shown.push(title));
  ['a', 'b', 'c'].map(notice).forEach(tell);
  vi.advanceTimersByTime(gatherMs);
  expect(shown).toEqual(['a', 'b', 'c']);
  ['a', 'b', 'c', 'd'].map(notice).forEach(tell);
  vi.advanceTimersByTime(gatherMs);
  expect(shown.slice(3)).toEqual(['4 transfers ended']);
});
