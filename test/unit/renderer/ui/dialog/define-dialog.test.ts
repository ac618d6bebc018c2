import { expect, test } from 'vitest';
import { dialogStore } from '../../../../../renderer/ui/dialog/define-dialog.tsx';

test('each opening of a dialog has a new serial number, and closing drops the request', () => {
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

test('subscribers of a dialog are notified of openings and closings until they unsubscribe', () => {
  const store = dialogStore<string>();
  const heard: (string | null)[] = [];
  const stop = store.useOpened.subscribe(({ request }) => heard.push(request));
  store.open('a');
  store.close();
  stop();
  store.open('b');
  expect(heard).toEqual(['a', null]);
});
