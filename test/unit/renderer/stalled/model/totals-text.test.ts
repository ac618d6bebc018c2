import { expect, test } from 'vitest';
import { totalsText } from '../../../../../renderer/features/stalled/model/totals-text.ts';
import { englishWords } from '../../words.ts';

const t = await englishWords();

const read = { storedBytes: 3_400_000_000, unread: 0, oldestAt: null };

test('the head of the list says how many uploads there are and what they store', () => {
  expect(totalsText({ found: 12, totals: read }, t)).toBe('12 uploads, 3.4 GB stored');
  expect(totalsText({ found: 1, totals: read }, t)).toBe('1 upload, 3.4 GB stored');
});

test('bytes are called a lower bound while some uploads are not read, and left out while none is', () => {
  expect(totalsText({ found: 12, totals: { ...read, unread: 4 } }, t)).toBe(
    '12 uploads, at least 3.4 GB stored',
  );
  expect(totalsText({ found: 12, totals: { ...read, storedBytes: 0, unread: 12 } }, t)).toBe('12 uploads');
});

test('the oldest upload is dated', () => {
  const totals = { ...read, oldestAt: '2025-05-03T12:00:00.000Z' };
  expect(totalsText({ found: 2, totals }, t)).toMatch(/, oldest from .*2025/u);
});
