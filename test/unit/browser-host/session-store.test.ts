import { expect, test } from 'vitest';
import { createSessionStore } from '../../../electron/browser/session-store.ts';

const startMs = 1_000_000;

test('a code is exchanged for one token, once', () => {
  const store = createSessionStore(() => startMs);
  const code = store.issueCode(null);
  const first = store.exchange(code, startMs);
  expect(first).toHaveProperty('token');
  expect(store.exchange(code, startMs)).toEqual({ refused: 'used' });
  expect(store.checkToken('token' in first ? first.token : '', startMs)).toBe('good');
});

test('each code yields a different valid token', () => {
  const store = createSessionStore(() => startMs);
  const tokens = Array.from({ length: 20 }, () => {
    const outcome = store.exchange(store.issueCode(null), startMs);
    return 'token' in outcome ? outcome.token : 'none';
  });
  expect(new Set(tokens).size).toBe(20);
  for (const token of tokens) expect(store.checkToken(token, startMs)).toBe('good');
});

test('a printed code is valid until used, and one with a lifetime expires', () => {
  const store = createSessionStore(() => startMs);
  const printed = store.issueCode(null);
  const short = store.issueCode(60_000);
  expect(store.exchange(short, startMs + 60_000)).toEqual({ refused: 'expired' });
  expect(store.exchange(printed, startMs + 30 * 24 * 3_600_000)).toHaveProperty('token');
});

test('a code expires after 10 minutes by default', () => {
  const store = createSessionStore(() => startMs);
  const [first, second] = [store.issueCode(), store.issueCode()];
  expect(store.exchange(first, startMs + 10 * 60_000 - 1)).toHaveProperty('token');
  expect(store.exchange(second, startMs + 10 * 60_000)).toEqual({ refused: 'expired' });
});

test('a code is not accepted as a token, nor a token as a code', () => {
  const store = createSessionStore(() => startMs);
  const code = store.issueCode(null);
  expect(store.checkToken(code, startMs)).toBe('wrong');
  const outcome = store.exchange(code, startMs);
  const token = 'token' in outcome ? outcome.token : '';
  expect(store.exchange(token, startMs)).toEqual({ refused: 'unknown' });
});

test('a hundred wrong guesses are throttled and do not lock the right code out', () => {
  const store = createSessionStore(() => startMs);
  const code = store.issueCode(null);
  const responses = Array.from({ length: 100 }, (_, index) =>
    store.exchange(`guess-${String(index).padStart(20, '0')}`, startMs + index),
  );
  expect(responses.filter((response) => 'token' in response)).toEqual([]);
  expect(responses.at(-1)).toEqual({ refused: 'too-many-tries' });
  expect(store.checkToken('another-guess-0123456789', startMs + 200)).toBe('too-many-tries');
  const right = store.exchange(code, startMs + 201);
  expect(right).toHaveProperty('token');
  expect(store.checkToken('token' in right ? right.token : '', startMs + 202)).toBe('good');
});

test('after a quiet minute a wrong guess gets its reason again', () => {
  const store = createSessionStore(() => startMs);
  for (let index = 0; index < 50; index += 1) store.exchange('wrong-wrong-wrong-wrong', startMs);
  expect(store.exchange('wrong-wrong-wrong-wrong', startMs + 60_000)).toEqual({ refused: 'unknown' });
});
