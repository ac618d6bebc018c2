import { expect, test } from 'vitest';
import { followMap, RefreshClick, type MapRefresh } from '../../../../renderer/features/map/follow-map.ts';
import { failure } from '../../../../shared/errors.ts';
import type { MapStatus } from '../../../../shared/models/map.ts';

const status = { mapId: 'm' } as MapStatus;

/** Follows a map that the core closes after these lifetimes in milliseconds, until none is left. */
async function followed(livesMs: readonly number[], how: 'ends' | 'is gone' = 'ends') {
  const aborter = new AbortController();
  const opened: MapRefresh[] = [];
  const delaysMs: number[] = [];
  let nowMs = 0;
  let statuses = 0;
  const calls = {
    open: (refresh: MapRefresh) => {
      opened.push(refresh);
      return Promise.resolve({ mapId: 'm' });
    },
    watch: async () => {
      await Promise.resolve();
      if (how === 'is gone') {
        if (opened.length === livesMs.length) aborter.abort();
        throw failure('not-found', 'This map no longer exists.', { reason: 'map-gone' });
      }
      return (async function* () {
        await Promise.resolve();
        yield status;
        nowMs += livesMs[opened.length - 1] ?? 0;
        if (opened.length === livesMs.length) aborter.abort();
      })();
    },
    wait: (delayMs: number) => {
      delaysMs.push(delayMs);
      nowMs += delayMs;
      return Promise.resolve();
    },
    nowMs: () => nowMs,
  };
  await followMap(calls, 'always', aborter.signal, () => {
    statuses += 1;
  });
  return { opened, delaysMs, statuses };
}

test('a map that the core closes is opened again at once from its catalogue', async () => {
  const { opened, delaysMs, statuses } = await followed([100_000, 100, 100_000, 5]);
  expect(opened).toEqual(['always', 'old', 'old', 'old']);
  expect(delaysMs).toEqual([]);
  expect(statuses).toBe(4);
});

test.each(['ends', 'is gone'] as const)(
  'a map whose watch always %s at once is opened again after growing delays',
  async (how) => {
    const { opened, delaysMs } = await followed(
      Array.from({ length: 9 }, () => 0),
      how,
    );
    expect(opened).toEqual(['always', ...Array.from({ length: 8 }, () => 'old')]);
    expect(delaysMs).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  },
);

test('an error other than a closed map ends the watch', async () => {
  const calls = {
    open: () => Promise.reject(failure('access-denied', 'Not you.')),
    watch: () => expect.unreachable('There is no map to watch.'),
    wait: () => expect.unreachable('The map is not opened again.'),
    nowMs: () => 0,
  };
  await expect(followMap(calls, 'old', new AbortController().signal, () => undefined)).rejects.toMatchObject({
    error: { code: 'access-denied' },
  });
});

test('one click on Refresh lists all keys once, and only of the place where it was clicked', () => {
  expect(new RefreshClick(null).take('a/')).toBe('old');
  const click = new RefreshClick('a/');
  expect(['a/', 'a/', 'a/b/', 'a/'].map((place) => click.take(place))).toEqual([
    'always',
    'old',
    'old',
    'old',
  ]);
  expect(new RefreshClick('a/').take('a/b/')).toBe('old');
});
