import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mouseRestDetector, movingPointer, restMs } from '../../../../renderer/ui/resting-mouse.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function listening() {
  const heard: (string | null)[] = [];
  const mouse = mouseRestDetector<{ readonly name: string }>(
    (thing) => heard.push(thing?.name ?? null),
    (left, right) => left.name === right.name,
  );
  return { heard, mouse };
}

describe('a resting mouse', () => {
  it('is reported once for any number of events', () => {
    const { heard, mouse } = listening();
    mouse.over({ name: 'a' });
    vi.advanceTimersByTime(restMs - 1);
    mouse.over({ name: 'a' });
    expect(heard).toEqual([]);
    vi.advanceTimersByTime(1);
    mouse.over({ name: 'a' });
    vi.advanceTimersByTime(10 * restMs);
    expect(heard).toEqual(['a']);
  });

  it('is not reported while it only passes', () => {
    const { heard, mouse } = listening();
    for (const name of ['a', 'b', 'c']) {
      mouse.over({ name });
      vi.advanceTimersByTime(restMs - 1);
    }
    mouse.over(null);
    vi.advanceTimersByTime(10 * restMs);
    expect(heard).toEqual([]);
  });

  it('is reported when it leaves its target', () => {
    const { heard, mouse } = listening();
    mouse.over({ name: 'a' });
    vi.advanceTimersByTime(restMs);
    mouse.end();
    mouse.end();
    expect(heard).toEqual(['a', null]);
  });
});

it('a pointer has moved unless an event reports the position of the previous one', () => {
  const pointer = movingPointer();
  expect(pointer.hasMoved({ screenX: 5, screenY: 7 })).toBe(true);
  expect(pointer.hasMoved({ screenX: 5, screenY: 7 })).toBe(false);
  expect(pointer.hasMoved({ screenX: 5, screenY: 8 })).toBe(true);
  expect(pointer.hasMoved({ screenX: 5, screenY: 8 })).toBe(false);
  expect(pointer.hasMoved({ screenX: 6, screenY: 8 })).toBe(true);
});
