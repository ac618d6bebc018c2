import { expect, test } from 'vitest';
import { dialogStore } from '../../../../../renderer/ui/dialog/dialog-store.ts';

test('each opening begins afresh; closing keeps nothing of the request', () => {
  const store = dialogStore<string>();
  expect(store.useOpened.getState()).toEqual({ request: null, serial: 0 });
  store.open('a');
  store.open('a');
  expect(store.useOpened.getState()).toEqual({ request: 'a', serial: 2 });
  store.close();
  expect(store.current()).toBeNull();
  store.open('b');
  expect(store.useOpened.getState()).toEqual({ request: 'b', serial: 3 });
});

test('followers hear of each opening and closing until they stop', () => {
  const store = dialogStore<string>();
  const heard: (string | null)[] = [];
  const stop = store.useOpened.subscribe(({ request }) => heard.push(request));
  store.open('a');
  store.close();
  stop();
  store.open('b');
  expect(heard).toEqual(['a', null]);
});
