import { z } from 'zod';

/** The result of one part of the check. */
export interface Tally {
  readonly passed: number;
  /** Names of failed tests. */
  readonly failed: readonly string[];
  /** Names of skipped tests. */
  readonly skipped: readonly string[];
  /** Names of tests that passed only on the second attempt. Each of them has to be fixed. */
  readonly flaky: readonly string[];
}

export const emptyTally: Tally = { passed: 0, failed: [], skipped: [], flaky: [] };

export function sumTallies(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((total, { passed }) => total + passed, 0),
    failed: tallies.flatMap(({ failed }) => failed),
    skipped: tallies.flatMap(({ skipped }) => skipped),
    flaky: tallies.flatMap(({ flaky }) => flaky),
  };
}

/** Returns the final line of the check. */
export function lastLine({ passed, failed, skipped }: Tally): string {
  return `${String(passed)} passed, ${String(failed.length)} failed, ${String(skipped.length)} skipped`;
}

const vitestSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      startTime: z.number().optional(),
      endTime: z.number().optional(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

/** Reads vitest's JSON report. A file that failed to load has no tests and counts as one failure. */
export function vitestTally(json: unknown): Tally {
  const { testResults } = vitestSchema.parse(json);
  return sumTallies(
    testResults.map(({ name, status, assertionResults }) => {
      const testNames = (hasStatus: (status: string) => boolean): string[] =>
        assertionResults.filter((result) => hasStatus(result.status)).map(({ fullName }) => fullName.trim());
      const failed = testNames((result) => result === 'failed');
      return {
        passed: testNames((result) => result === 'passed').length,
        failed: status === 'failed' && failed.length === 0 ? [name] : failed,
        skipped: testNames((result) => result !== 'passed' && result !== 'failed'),
        flaky: [],
      };
    }),
  );
}

/**
 * Returns the files whose process ended before all tests had run: they failed without a failed test. V8 13.6 can crash where
 * WebAssembly is compiled and freed (nodejs/node#64500).
 */
export function crashedFiles(json: unknown): readonly string[] {
  return vitestSchema
    .parse(json)
    .testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && assertionResults.every((result) => result.status !== 'failed'),
    )
    .map(({ name }) => name);
}

/** Joins a run with the second run of its crashed files. These count as flaky. */
export function withSecondRun(first: Tally, crashed: readonly string[], second: Tally): Tally {
  return sumTallies([
    { ...first, failed: first.failed.filter((name) => !crashed.includes(name)), flaky: crashed },
    second,
  ]);
}

/** Returns the duration of each test file in seconds, by its name in vitest's report. */
export function vitestSeconds(json: unknown): ReadonlyMap<string, number> {
  const { testResults } = vitestSchema.parse(json);
  return new Map(
    testResults.map(({ name, startTime = 0, endTime = 0 }) => [name, (endTime - startTime) / 1000]),
  );
}

const suiteSchema = z.object({
  title: z.string(),
  specs: z
    .array(
      z.object({
        title: z.string(),
        file: z.string(),
        tests: z.array(
          z.object({ status: z.string(), results: z.array(z.object({ duration: z.number() })).optional() }),
        ),
      }),
    )
    .optional(),
  get suites() {
    return z.array(suiteSchema).optional();
  },
});
type Suite = z.infer<typeof suiteSchema>;
const playwrightSchema = z.object({
  suites: z.array(suiteSchema),
  errors: z.array(z.object({ message: z.string().optional() })),
});

/** Reads Playwright's JSON report. A test that passed on the second attempt (allowed only in CI) counts as flaky. */
export function playwrightTally(json: unknown): Tally {
  const { suites, errors } = playwrightSchema.parse(json);
  const globalErrors = {
    ...emptyTally,
    failed: errors.map(({ message }) => message?.split('\n', 1)[0] ?? 'an error'),
  };
  return sumTallies([globalErrors, ...suites.map(tallyOfSuite)]);
}

function tallyOfSuite(suite: Suite): Tally {
  const tallies = (suite.specs ?? []).flatMap(({ title, file, tests }) =>
    tests.map(({ status }): Tally => {
      const name = `${file}: ${title}`;
      if (status === 'expected') return { ...emptyTally, passed: 1 };
      if (status === 'flaky') return { ...emptyTally, passed: 1, flaky: [name] };
      return status === 'skipped' ? { ...emptyTally, skipped: [name] } : { ...emptyTally, failed: [name] };
    }),
  );
  return sumTallies([...tallies, ...(suite.suites ?? []).map(tallyOfSuite)]);
}

/** Returns the duration of each test file in seconds, by its name in Playwright's report. */
export function playwrightSeconds(json: unknown): ReadonlyMap<string, number> {
  const seconds = new Map<string, number>();
  const add = ({ specs = [], suites = [] }: Suite): void => {
    for (const { file, tests } of specs)
      for (const { duration } of tests.flatMap(({ results = [] }) => results))
        seconds.set(file, (seconds.get(file) ?? 0) + duration / 1000);
    for (const suite of suites) add(suite);
  };
  for (const suite of playwrightSchema.parse(json).suites) add(suite);
  return seconds;
}

/** Reads the output of runners that start vitest themselves: its printed summary, and their lines `skipped: NAME`. */
export function printedTally(text: string, name: string): Tally {
  // oxlint-disable-next-line no-control-regex -- matches the escape sequences of terminal colours
  const plain = text.replaceAll(/\u001B\[[\d;]*m/g, '');
  const tallies = [...plain.matchAll(/^\s*Tests\s+(.+)\(\d+\)\s*$/gm)].map(([, counts = '']) => {
    const count = (word: string): number => Number(new RegExp(`(\\d+) ${word}`).exec(counts)?.[1] ?? 0);
    return {
      passed: count('passed'),
      failed: Array.from({ length: count('failed') }, () => `${name}: see above`),
      skipped: Array.from({ length: count('skipped') }, () => `${name}: see above`),
      flaky: [],
    };
  });
  const skipped = [...plain.matchAll(/^skipped: (.+)$/gm)].map(([, reason = '']) => `${name}: ${reason}`);
  return sumTallies([...tallies, { ...emptyTally, skipped }]);
}
