import { expect, test } from 'vitest';
import { profileKeys, typedKeys } from '../../../../electron/core/connections/credentials.ts';
import type { Credentials } from '../../../../electron/core/s3/model/connection-types.ts';
import { failure } from '../../../../shared/errors.ts';
import { errorOf } from '../../../support/servers/s3-client.ts';

const minute = 60_000;

function source(lifetimeMs: number | null) {
  const clock = { ms: 0, nowMs: () => clock.ms };
  let reads = 0;
  let broken = false;
  const read = (): Promise<Credentials> => {
    if (broken) return Promise.reject(failure('network', 'offline'));
    reads += 1;
    return Promise.resolve({
      accessKeyId: `KEY${reads}`,
      secretAccessKey: 's',
      ...(lifetimeMs === null ? {} : { expiresAtMs: clock.ms + lifetimeMs }),
    });
  };
  const keys = profileKeys('work', clock, read);
  return {
    clock,
    reads: () => reads,
    breakIt: () => (broken = true),
    get: async (refresh = false) => (await keys({ refresh })).accessKeyId,
  };
}

test('a profile is read on first use, once for concurrent callers', async () => {
  const profile = source(60 * minute);
  expect(profile.reads()).toBe(0);
  expect(await Promise.all([profile.get(), profile.get(), profile.get()])).toEqual(['KEY1', 'KEY1', 'KEY1']);
  expect(profile.reads()).toBe(1);
});

test('temporary keys are renewed five minutes before they expire, not sooner', async () => {
  const profile = source(60 * minute);
  await profile.get();
  profile.clock.ms = 54 * minute;
  expect(await profile.get()).toBe('KEY1');
  profile.clock.ms = 55 * minute;
  expect(await profile.get()).toBe('KEY2');
});

test('keys without expiration are not read again', async () => {
  const profile = source(null);
  await profile.get();
  profile.clock.ms = 1e12;
  expect(await profile.get()).toBe('KEY1');
});

test('the old keys are used until they expire while renewal fails', async () => {
  const profile = source(60 * minute);
  await profile.get();
  profile.breakIt();
  profile.clock.ms = 58 * minute;
  expect(await profile.get()).toBe('KEY1');
  profile.clock.ms = 60 * minute;
  expect((await errorOf(profile.get())).code).toBe('network');
});

test('keys that the service calls expired are re-read at once', async () => {
  const profile = source(60 * minute);
  await profile.get();
  expect(await profile.get(true)).toBe('KEY2');
});

test('a profile that returns the same expired keys again fails with auth-expired', async () => {
  const keys = profileKeys('work', { nowMs: () => 0 }, () =>
    Promise.resolve({ accessKeyId: 'K', secretAccessKey: 's' }),
  );
  await keys({ refresh: false });
  expect(await errorOf(keys({ refresh: true }))).toMatchObject({
    code: 'auth-expired',
    reason: 'token-expired',
  });
});

test('typed keys cannot be renewed and fail with auth-expired', async () => {
  const keys = typedKeys({ accessKeyId: 'K', secretAccessKey: 's' });
  expect(await keys({ refresh: false })).toMatchObject({ accessKeyId: 'K' });
  expect(await errorOf(keys({ refresh: true }))).toMatchObject({ code: 'auth-expired', retry: 'after-fix' });
});
