import { expect, test, vi } from 'vitest';

const all = Array.from({ length: 30 }, (_, index) => index);

async function sampling(env: Readonly<Record<string, string>>) {
  vi.resetModules();
  for (const [name, value] of Object.entries({ COOPER_TEST_WHOLE: '', COOPER_TEST_SEED: '1', ...env }))
    vi.stubEnv(name, value);
  try {
    return await import('../../support/sample.ts');
  } finally {
    vi.unstubAllEnvs();
  }
}

test('a sample is an ordered subset that depends only on the seed', async () => {
  const { sampleOf } = await sampling({});
  const some = sampleOf(all, 5);
  expect(some).toHaveLength(5);
  expect(some).toEqual([...new Set(some)].toSorted((left, other) => left - other));
  expect((await sampling({})).sampleOf(all, 5)).toEqual(some);
  expect((await sampling({ COOPER_TEST_SEED: '2' })).sampleOf(all, 5)).not.toEqual(some);
  expect(sampleOf([1, 2], 5)).toEqual([1, 2]);
});

test('samples of the same cases vary with the draw number and cover every case in the end', async () => {
  const { sampleOf } = await sampling({});
  const draws = Array.from({ length: 40 }, (_, draw) => sampleOf(all, 5, draw));
  expect(draws[0]).toEqual(sampleOf(all, 5));
  expect(draws[1]).not.toEqual(draws[0]);
  expect(new Set(draws.flat()).size).toBe(all.length);
});

test('a whole run includes all cases', async () => {
  const { isWhole, runs, sampleOf } = await sampling({ COOPER_TEST_WHOLE: '1' });
  expect(isWhole).toBe(true);
  expect(sampleOf(all, 5)).toEqual(all);
  expect(runs(40)).toBe(40);
  expect((await sampling({})).runs(40)).toBe(10);
});
