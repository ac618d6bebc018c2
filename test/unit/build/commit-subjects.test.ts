import { expect, test } from 'vitest';
import { subjectProblems } from '../../../build/scripts/check/change-of-branch.ts';

test('a commit subject of at most 72 characters without a full stop is accepted', () => {
  expect(subjectProblems([`abc1234 ${'x'.repeat(72)}`, 'abc1235 Resume downloads inside a piece'])).toEqual(
    [],
  );
});

test('a longer commit subject or one with a full stop is reported with its commit', () => {
  const problems = subjectProblems([`abc1234 ${'x'.repeat(73)}`, 'abc1235 Fix it.']);
  expect(problems).toHaveLength(2);
  expect(problems[0]).toContain('abc1234: 73 characters');
  expect(problems[1]).toContain('abc1235');
});
