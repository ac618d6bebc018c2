import { expect, test } from 'vitest';
import { findArrived, findAt, nextChoice } from '../../../../../renderer/features/objects/find/find-state.ts';

test('a place whose names start with something opens the field with that', () => {
  expect(findAt('home', 'ab').find).toEqual({ choice: 'startsWith', text: 'ab' });
  expect(findArrived(findAt('home', ''), 'home', 'ab').find).toEqual({ choice: 'startsWith', text: 'ab' });
});

test('what is typed on while the service answers is not taken back', () => {
  const typing = {
    ...findAt('home', 'a'),
    asked: 'ab',
    find: { choice: 'startsWith', text: 'abc' },
  } as const;
  expect(findArrived(typing, 'home', 'ab').find).toEqual({ choice: 'startsWith', text: 'abc' });
});

test('another folder closes the field, and a filter stays while the place is the same', () => {
  const filtering = { ...findAt('home', ''), find: { choice: 'filter', text: 'x' } } as const;
  expect(findArrived(filtering, 'home', '').find).toEqual({ choice: 'filter', text: 'x' });
  expect(findArrived(filtering, 'other', '').find).toBeNull();
});

test('going back to the whole folder closes a field that asked for the start of names', () => {
  expect(findArrived(findAt('home', 'ab'), 'home', '').find).toBeNull();
});

test('the choices come one after the other, and round', () => {
  expect(nextChoice('filter')).toBe('startsWith');
  expect(nextChoice('startsWith')).toBe('below');
  expect(nextChoice('below')).toBe('filter');
});
