import { expect, test } from 'vitest';
import { findArrived, findAt, nextChoice } from '../../../../../renderer/features/objects/find/find-state.ts';

test('a place with a start of names opens the find field with it', () => {
  expect(findAt('home', 'ab').find).toEqual({ choice: 'startsWith', text: 'ab' });
  expect(findArrived(findAt('home', ''), 'home', 'ab').find).toEqual({ choice: 'startsWith', text: 'ab' });
});

test('text typed while a response is pending is kept', () => {
  const typing = {
    ...findAt('home', 'a'),
    requestedPrefix: 'ab',
    find: { choice: 'startsWith', text: 'abc' },
  } as const;
  expect(findArrived(typing, 'home', 'ab').find).toEqual({ choice: 'startsWith', text: 'abc' });
});

test('another folder closes the find field, while the same place keeps a filter', () => {
  const filtering = { ...findAt('home', ''), find: { choice: 'filter', text: 'x' } } as const;
  expect(findArrived(filtering, 'home', '').find).toEqual({ choice: 'filter', text: 'x' });
  expect(findArrived(filtering, 'other', '').find).toBeNull();
});

test('returning to the whole folder closes the find field', () => {
  expect(findArrived(findAt('home', 'ab'), 'home', '').find).toBeNull();
});

test('the find modes follow each other in a cycle', () => {
  expect(nextChoice('filter')).toBe('startsWith');
  expect(nextChoice('startsWith')).toBe('below');
  expect(nextChoice('below')).toBe('filter');
});
