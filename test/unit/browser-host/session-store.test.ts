import { expect, test } from 'vitest';
import { createSessionStore } from '../../../electron/browser/session-store.ts';

const startMs = 1_000_000;

/** Returns a store with a clock that the test moves. */
function storeWithClock() {
  const clock = { nowMs: startMs };
  return { clock, store: createSessionStore(() => clock.nowMs) };
}

test('a code is exchanged for one token, once', () => {
  const { store } = storeWithClock();
  const code = store.issueCode();
  const first = store.exchange(code);
  expect(first).toHaveProperty('token');
  expect(store.exchange(code)).toEqual({ refused: 'used' });
  expect(store.checkToken('token' in first ? first.token : '')).toBe('good');
});

test('each code yields a different valid token', () => {
  const { store } = storeWithClock();
  const tokens = Array.from({ length: 20 }, () => {
    const outcome = store.exchange(store.issueCode());
    return 'token' in outcome ? outcome.token : 'none';
  });
  expect(new Set(tokens).size).toBe(20);
  for (const token of tokens) expect(store.checkToken(token)).toBe('good');
});

test('a code expires after 10 minutes', () => {
  const { clock, store } = storeWithClock();
  const [first, second] = [store.issueCode(), store.issueCode()];
  clock.nowMs = startMs + 10 * 60_000 - 1;
  expect(store.exchange(first)).toHaveProperty('token');
  clock.nowMs = startMs + 10 * 60_000;
  expect(store.exchange(second)).toEqual({ refused: 'expired' });
});

test('a token stays valid after its code would have expired', () => {
  const { clock, store } = storeWithClock();
  const outcome = store.exchange(store.issueCode());
  clock.nowMs = startMs + 30 * 24 * 3_600_000;
  expect(store.checkToken('token' in outcome ? outcome.token : '')).toBe('good');
});

test('a code is not accepted as a token, nor a token as a code', () => {
  const { store } = storeWithClock();
  const code = store.issueCode();
  expect(store.checkToken(code)).toBe('wrong');
  const outcome = store.exchange(code);
  const token = 'token' in outcome ? outcome.token : '';
  expect(store.exchange(token)).toEqual({ refused: 'unknown' });
});

test('a hundred wrong guesses are throttled and do not lock the right code out', () => {
  const { clock, store } = storeWithClock();
  const code = store.issueCode();
  const responses = Array.from({ length: 100 }, (_, index) => {
    clock.nowMs = startMs + index;
    return store.exchange(`guess-${String(index).padStart(20, '0')}`);
  });
  expect(responses.filter((response) => 'token' in response)).toEqual([]);
  expect(responses.at(-1)).toEqual({ refused: 'too-many-tries' });
  clock.nowMs = startMs + 200;
  expect(store.checkToken('another-guess-0123456789')).toBe('too-many-tries');
  const right = store.exchange(code);
  expect(right).toHaveProperty('token');
  expect(store.checkToken('token' in right ? right.token : '')).toBe('good');
});

test('after a quiet minute a wrong guess gets its reason again', () => {
  const { clock, store } = storeWithClock();
  for (let index = 0; index < 50; index += 1) store.exchange('wrong-wrong-wrong-wrong');
  clock.nowMs = startMs + 60_000;
  expect(store.exchange('wrong-wrong-wrong-wrong')).toEqual({ refused: 'unknown' });
});
