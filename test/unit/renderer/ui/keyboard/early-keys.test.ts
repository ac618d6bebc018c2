import { expect, test } from 'vitest';
import { catchEarlyKeys } from '../../../../../renderer/ui/keyboard/early-keys.ts';

interface Modifiers {
  readonly ctrlKey?: boolean;
  readonly metaKey?: boolean;
  readonly altKey?: boolean;
}

/** A window, and the keys that a page in the window receives. */
function page() {
  const target = new EventTarget();
  const heard: string[] = [];
  let over: (() => void) | null = null;
  const later = (run: () => void): (() => void) => {
    over = run;
    return () => {
      over = null;
    };
  };
  return {
    heard,
    begin: () => catchEarlyKeys(target, later),
    press: (key: string, modifiers: Modifiers = {}) => {
      const none = { ctrlKey: false, metaKey: false, altKey: false, isComposing: false };
      const event = Object.assign(new Event('keydown', { cancelable: true }), none, { key }, modifiers);
      target.dispatchEvent(event);
      if (!event.defaultPrevented) heard.push(key);
    },
    click: () => target.dispatchEvent(new Event('pointerdown')),
    tooLate: () => over?.(),
    isWaiting: () => over !== null,
  };
}

test('keys typed before a field appears become its text and are not heard elsewhere', () => {
  const { begin, press, heard } = page();
  const keys = begin();
  for (const key of ['c', 'o', 'x', 'Backspace', 'v', ' ', 'é']) press(key);
  expect(keys.take().text).toBe('cov é');
  expect(heard).toEqual([]);
});

test('Enter before a field appears ends its text and opens nothing below', () => {
  const { begin, press, heard } = page();
  const keys = begin();
  press('a');
  press('Enter');
  press('b');
  press('Backspace');
  expect(keys.take()).toEqual({ text: 'a', isSent: true });
  expect(keys.take()).toEqual({ text: '', isSent: false });
  expect(heard).toEqual([]);
});

test('shortcuts, Tab and arrow keys are passed on before a field appears', () => {
  const { begin, press, heard } = page();
  const keys = begin();
  press('s', { ctrlKey: true });
  press('Tab');
  press('ArrowDown');
  expect(keys.take().text).toBe('');
  expect(heard).toEqual(['s', 'Tab', 'ArrowDown']);
});

test('early keys are taken once, and later keys are passed on', () => {
  const { begin, press, heard, isWaiting } = page();
  const keys = begin();
  press('a');
  expect(keys.take().text).toBe('a');
  press('b');
  expect(keys.take().text).toBe('');
  expect(heard).toEqual(['b']);
  expect(isWaiting()).toBe(false);
});

test('early keys are dropped after a while if the field never appears', () => {
  const { begin, press, tooLate, heard } = page();
  const keys = begin();
  press('a');
  tooLate();
  press('b');
  expect(heard).toEqual(['b']);
  expect(keys.take().text).toBe('');
});

test.each(['Escape', 'a click'])('%s stops the early keys from waiting for a field', (how) => {
  const { begin, press, click, heard } = page();
  const keys = begin();
  press('a');
  if (how === 'Escape') press('Escape');
  else click();
  press('b');
  expect(heard).toEqual(how === 'Escape' ? ['Escape', 'b'] : ['b']);
  expect(keys.take().text).toBe('');
});
