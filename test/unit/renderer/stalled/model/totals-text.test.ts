import { expect, test } from 'vitest';
import { totalsText } from '../../../../../renderer/features/stalled/model/totals-text.ts';
import { englishWords } from '../../words.ts';

const t = await englishWords();

const read = { storedBytes: 3.4 * 1024 ** 3, unread: 0, oldestAt: null };

test('the list of stalled uploads shows their number and stored bytes', () => {
  expect(totalsText({ found: 12, totals: read }, t)).toBe('12 uploads, 3.4\u00A0GiB stored');
  expect(totalsText({ found: 1, totals: read }, t)).toBe('1 upload, 3.4\u00A0GiB stored');
});

test('stored bytes are shown as a lower bound while some uploads are unread, and not at all if all are', () => {
  expect(totalsText({ found: 12, totals: { ...read, unread: 4 } }, t)).toBe(
    '12 uploads, at least 3.4\u00A0GiB stored',
  );
  expect(totalsText({ found: 12, totals: { ...read, storedBytes: 0, unread: 12 } }, t)).toBe('12 uploads');
});

test('the oldest stalled upload is shown with its date', () => {
  const totals = { ...read, oldestAt: '2025-05-03T12:00:00.000Z' };
  expect(totalsText({ found: 2, totals }, t)).toMatch(/, oldest from .*2025/u);
});
