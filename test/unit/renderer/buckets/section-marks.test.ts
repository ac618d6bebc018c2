import { array, assert, constantFrom, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import {
  isUnknown,
  isUnsupported,
  marksAfter,
  refusesChanges,
  type SectionMarks,
  type SectionNews,
} from '../../../../renderer/features/buckets/sections/section-marks.ts';
import { bucketSections } from '../../../../shared/models/bucket-settings.ts';

const after = (...news: readonly SectionNews[]): SectionMarks =>
  news.reduce<SectionMarks>((marks, next) => marksAfter(marks, 'logging', next), []);

test('a section that the service lacks is marked until it can be read', () => {
  expect(isUnsupported(after('unsupported'), [], 'logging')).toBe(true);
  expect(isUnsupported(after('unsupported', 'readable'), [], 'logging')).toBe(false);
});

test('a readable section of which the service refuses changes stays marked until a change is stored', () => {
  const marks = after('readable', 'refused', 'readable');
  expect(isUnsupported(marks, [], 'logging')).toBe(true);
  expect(refusesChanges(marks, 'logging')).toBe(true);
  expect(isUnsupported(after('refused', 'stored'), [], 'logging')).toBe(false);
});

test('the documentation of a provider holds until the service answers', () => {
  expect(isUnsupported([], ['logging'], 'logging')).toBe(true);
  expect(isUnsupported(after('readable'), ['logging'], 'logging')).toBe(false);
});

test('a section is read ahead once, unless the documentation says that it is unsupported', () => {
  expect(isUnknown([], [], 'logging')).toBe(true);
  expect(isUnknown([], ['logging'], 'logging')).toBe(false);
  for (const news of ['readable', 'unsupported', 'refused', 'stored'] as const)
    expect(isUnknown(after(news), [], 'logging')).toBe(false);
});

test('news about one section change no other, and marks do not accumulate', () => {
  const news = tuple(
    constantFrom(...bucketSections),
    constantFrom<SectionNews>('readable', 'unsupported', 'refused', 'stored'),
  );
  assert(
    property(array(news, { maxLength: 60 }), (all) => {
      let marks: SectionMarks = [];
      for (const [section, next] of all) {
        const before = marks;
        marks = marksAfter(marks, section, next);
        for (const other of bucketSections.filter((name) => name !== section))
          expect(isUnsupported(marks, [], other)).toBe(isUnsupported(before, [], other));
      }
      expect(new Set(marks).size).toBe(marks.length);
      expect(marks.length).toBeLessThanOrEqual(2 * bucketSections.length);
    }),
  );
});
