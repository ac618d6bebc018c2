import { expect, test, vi } from 'vitest';

const specs = [
  ...Array.from({ length: 25 }, (_, at) => `test/e2e/browse/${String(at)}.spec.ts`),
  ...Array.from({ length: 6 }, (_, at) => `test/e2e/stalled/${String(at)}.spec.ts`),
  'test/e2e/sync/sync.spec.ts',
];

async function sampled(env: Readonly<Record<string, string>>, draw?: number): Promise<readonly string[]> {
  vi.resetModules();
  for (const [name, value] of Object.entries({ COOPER_TEST_WHOLE: '', COOPER_TEST_SEED: '1', ...env }))
    vi.stubEnv(name, value);
  try {
    const { sampleOfSpecs } = await import('../../../build/scripts/check/changed-tests.ts');
    return sampleOfSpecs(specs, draw);
  } finally {
    vi.unstubAllEnvs();
  }
}

test('a fourteenth of the e2e files is run, rounded up', async () => {
  const some = await sampled({});
  expect(some).toHaveLength(3);
  expect(some.every((spec) => specs.includes(spec))).toBe(true);
});

test('every e2e file is drawn by some seed, and a seed always draws the same files', async () => {
  const draws: (readonly string[])[] = [];
  for (let seed = 0; seed < 60; seed++) draws.push(await sampled({ COOPER_TEST_SEED: String(seed) }));
  expect(new Set(draws.flat())).toEqual(new Set(specs));
  expect(await sampled({ COOPER_TEST_SEED: '7' })).toEqual(draws[7]);
});

test('a whole run includes every e2e file', async () => {
  expect(await sampled({ COOPER_TEST_WHOLE: '1' })).toEqual(specs);
});

test('another commit draws other e2e files, and the same commit the same', async () => {
  const drawn = await sampled({}, 0x12345678);
  expect(await sampled({}, 0x12345678)).toEqual(drawn);
  expect(await sampled({}, 0x0badcafe)).not.toEqual(drawn);
});
