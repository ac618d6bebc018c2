import { expect, test } from 'vitest';
import {
  crashedFiles,
  lastLine,
  emptyTally,
  playwrightSeconds,
  playwrightTally,
  printedTally,
  vitestSeconds,
  vitestTally,
  withSecondRun,
} from '../../../build/scripts/check/test-reports.ts';

test('a vitest report is counted by passed, failed and skipped, and an unloadable file as failed', () => {
  const tally = vitestTally({
    testResults: [
      {
        name: '/a.test.ts',
        status: 'failed',
        assertionResults: [
          { fullName: ' one', status: 'passed' },
          { fullName: ' two', status: 'failed' },
          { fullName: ' three', status: 'pending' },
          { fullName: ' four', status: 'skipped' },
          { fullName: ' five', status: 'todo' },
        ],
      },
      { name: '/b.test.ts', status: 'failed', assertionResults: [] },
    ],
  });
  expect(tally).toEqual({
    passed: 1,
    failed: ['two', '/b.test.ts'],
    skipped: ['three', 'four', 'five'],
    flaky: [],
  });
});

test('a file that failed without a failed test has crashed', () => {
  const files = [
    { name: '/crashed.test.ts', status: 'failed', of: ['passed', 'pending'] },
    { name: '/failed.test.ts', status: 'failed', of: ['passed', 'failed'] },
    { name: '/passed.test.ts', status: 'passed', of: ['passed', 'skipped'] },
  ];
  const testResults = files.map(({ of, ...file }) => ({
    ...file,
    assertionResults: of.map((status, at) => ({ fullName: String(at), status })),
  }));
  expect(crashedFiles({ testResults })).toEqual(['/crashed.test.ts']);
});

test('the second run of a crashed file replaces its failure, and a failure of that run counts', () => {
  const first = { ...emptyTally, passed: 5, failed: ['/crashed.test.ts', 'a test'] };
  const held = withSecondRun(first, ['/crashed.test.ts'], { ...emptyTally, passed: 2 });
  expect(held).toEqual({ passed: 7, failed: ['a test'], skipped: [], flaky: ['/crashed.test.ts'] });
  const failed = { ...emptyTally, failed: ['/crashed.test.ts'] };
  expect(withSecondRun(first, ['/crashed.test.ts'], failed).failed).toEqual(['a test', '/crashed.test.ts']);
});

test('a Playwright report counts nested suites, names flaky tests and counts outer errors as failed', () => {
  const tally = playwrightTally({
    suites: [
      {
        title: 'x.spec.ts',
        specs: [spec('one', 'expected'), spec('two', 'unexpected')],
        suites: [{ title: 'inner', specs: [spec('three', 'flaky'), spec('four', 'skipped')] }],
      },
    ],
    errors: [{ message: 'no tests found\nhere' }],
  });
  expect(tally).toEqual({
    passed: 2,
    failed: ['no tests found', 'x.spec.ts: two'],
    skipped: ['x.spec.ts: four'],
    flaky: ['x.spec.ts: three'],
  });
});

const took = (title: string, ...durations: readonly number[]) => ({
  ...spec(title, 'expected'),
  tests: [{ status: 'expected', results: durations.map((duration) => ({ duration })) }],
});

test('the duration of each test file is read from both reports, failed attempts included', () => {
  const vitest = {
    testResults: [
      { name: '/a.test.ts', status: 'passed', startTime: 1000, endTime: 3500, assertionResults: [] },
    ],
  };
  expect([...vitestSeconds(vitest)]).toEqual([['/a.test.ts', 2.5]]);
  const playwright = {
    suites: [
      {
        title: 'x.spec.ts',
        specs: [took('one', 1000)],
        suites: [{ title: 'inner', specs: [took('two', 500, 250)] }],
      },
    ],
    errors: [],
  };
  expect([...playwrightSeconds(playwright)]).toEqual([['x.spec.ts', 1.75]]);
});

test('the totals printed by nested runners are summed', () => {
  const text = [
    'Conformance of embedded',
    ' \u001B[2m Test Files \u001B[22m 1 passed (1)',
    '\u001B[2m      Tests \u001B[22m \u001B[1m\u001B[31m1 failed\u001B[39m | 38 passed | 2 skipped (41)',
    'skipped: Ceph RGW (radosgw not installed)',
  ].join('\n');
  const tally = printedTally(text, 'conformance');
  expect(lastLine(tally)).toBe('38 passed, 1 failed, 3 skipped');
  expect(tally.skipped).toContain('conformance: Ceph RGW (radosgw not installed)');
});

function spec(title: string, status: string) {
  return { title, file: 'x.spec.ts', tests: [{ status }] };
}
