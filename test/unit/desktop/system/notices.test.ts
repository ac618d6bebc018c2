import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { JobNotice } from '../../../../electron/core/ports.ts';
import { gatherMs, gatherNotices, noticeWords } from '../../../../electron/desktop/system/notices.ts';
import { setLanguage } from '../../../../electron/host/text.ts';
import { jobKinds } from '../../../../shared/models/job-kinds.ts';

const notice = (name: string, changes: Partial<JobNotice> = {}): JobNotice => ({
  state: 'done',
  work: 'upload',
  name,
  others: 0,
  bucket: 'photos',
  failed: 0,
  ...changes,
});

afterEach(() => {
  setLanguage('en', []);
});

describe('system notifications', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('name each job if there are few, and count many', () => {
    const shown: string[] = [];
    const tell = gatherNotices(({ title }) => shown.push(title));
    for (const name of ['a', 'b', 'c']) tell(notice(name));
    vi.advanceTimersByTime(gatherMs);
    expect(shown).toEqual(['Finished: a', 'Finished: b', 'Finished: c']);
    for (const name of ['a', 'b', 'c', 'd']) tell(notice(name));
    vi.advanceTimersByTime(gatherMs);
    expect(shown.slice(3)).toEqual(['4 transfers ended']);
  });
});

test('a system notification states the result of a job in the chosen language', () => {
  expect(noticeWords(notice('first.jpg', { others: 2 }))).toEqual({
    title: 'Finished: first.jpg and 2 more',
    body: 'Upload · photos',
  });
  expect(noticeWords(notice('old', { state: 'nothing-done', work: 'rename' })).title).toBe(
    'Nothing done: old',
  );
  expect(noticeWords(notice('x', { state: 'attention', work: 'abort-many', bucket: '' }))).toEqual({
    title: 'Needs attention: x',
    body: 'Abort uploads. Open Cooper to see why.',
  });
  expect(noticeWords(notice('photos', { state: 'attention', work: 'batch', failed: 1 })).body).toContain(
    '1 object failed: the report names it.',
  );
  setLanguage('ru', []);
  expect(noticeWords(notice('first.jpg', { others: 2 })).title).toBe('Готово: first.jpg и ещё 2');
  for (const work of [...jobKinds, 'rename'] as const)
    expect(noticeWords(notice('x', { work })).body).toMatch(/^[А-ЯЁ]/u);
  expect(noticeWords(notice('photos', { state: 'attention', failed: 5 })).body).toContain('5 объектов');
});
