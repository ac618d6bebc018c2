import { describe, expect, it } from 'vitest';
import {
  continuesTyping,
  nextByName,
  nothingTyped,
  withTypedLetter,
} from '../../../../../renderer/ui/table/type-ahead.ts';

describe('type-ahead text', () => {
  it('grows with each letter and restarts after a pause', () => {
    const first = withTypedLetter(nothingTyped, 'h', 1000);
    const second = withTypedLetter(first, 'a', 1700);
    expect(second.text).toBe('ha');
    expect(continuesTyping(second, 2499)).toBe(true);
    expect(continuesTyping(second, 2500)).toBe(false);
    expect(withTypedLetter(second, 'b', 2500).text).toBe('b');
  });

  it('depends on when keys were pressed, not when a busy window handles them', () => {
    // Three keys pressed 100 ms apart, whose events are handled two seconds later.
    const text = [100, 200, 300].reduce(
      (typed, atMs) => withTypedLetter(typed, 'x', atMs),
      nothingTyped,
    ).text;
    expect(text).toBe('xxx');
  });

  it('is empty before the first letter, however early it comes', () => {
    expect(continuesTyping(nothingTyped, 0)).toBe(false);
  });
});

describe('type-ahead search', () => {
  it('starts after the focused row and wraps around', () => {
    const names = ['Anchor', 'beacon', 'Buoy'];
    expect(nextByName(names, 1, 'b')).toBe(2);
    expect(nextByName(names, 2, 'b')).toBe(1);
    expect(nextByName(names, 2, 'bu')).toBe(2);
    expect(nextByName(names, 0, 'z')).toBe(-1);
  });

  it('keeps a focused row that matches a longer text, and finds nothing in an empty list', () => {
    const names = ['Alpha', 'beta', 'alps'];
    expect(nextByName(names, -1, 'al')).toBe(0);
    expect(nextByName(names, 0, 'al')).toBe(0);
    expect(nextByName(names, 1, 'al')).toBe(2);
    expect(nextByName(names, 0, 'a')).toBe(2);
    expect(nextByName(names, 2, 'a')).toBe(0);
    expect(nextByName([], -1, 'a')).toBe(-1);
  });
});
