import { expect, test } from 'vitest';
import { timeVerdict } from '../../../../electron/core/sync/sync-rules.ts';

const at = 1_700_000_000_123;

test('an object with a stored file time matches only that time, not an earlier or later one', () => {
  for (const direction of ['up', 'down'] as const) {
    expect(timeVerdict(direction, { localMs: at, metaMs: at + 0.4, storedMs: 0 })).toBe('same');
    expect(timeVerdict(direction, { localMs: at, metaMs: at + 5, storedMs: at })).toBe('differs');
    expect(timeVerdict(direction, { localMs: at, metaMs: at - 5, storedMs: at })).toBe('differs');
  }
});

test('a file time rounded to one or two seconds counts as the same', () => {
  const times = { storedMs: null, metaMs: 1_700_000_001_900 };
  expect(timeVerdict('down', { ...times, localMs: 1_700_000_000_000 })).toBe('same');
  expect(timeVerdict('down', { ...times, localMs: 1_700_000_001_000 })).toBe('same');
  expect(timeVerdict('down', { ...times, localMs: 1_700_000_001_001 })).toBe('differs');
});

test('an object without a stored file time is outdated if its source is newer', () => {
  const stored = { metaMs: null, storedMs: at };
  expect(timeVerdict('up', { ...stored, localMs: at - 50_000 })).toBe('same');
  expect(timeVerdict('up', { ...stored, localMs: at + 900 })).toBe('same');
  expect(timeVerdict('up', { ...stored, localMs: at + 5000 })).toBe('differs');
  expect(timeVerdict('down', { ...stored, localMs: at - 5000 })).toBe('differs');
  expect(timeVerdict('down', { ...stored, localMs: at + 200 })).toBe('same');
  expect(timeVerdict('down', { ...stored, localMs: at + 5000 }), 'its content has to tell').toBe('unsure');
});

test('files of equal size count as the same if a time is unknown', () => {
  expect(timeVerdict('up', { localMs: at, metaMs: null, storedMs: null })).toBe('same');
  expect(timeVerdict('down', { localMs: null, metaMs: at, storedMs: at })).toBe('same');
});
