import { expect, test } from 'vitest';
import { commandIds, factsOf } from '../../../../../shared/commands.ts';
import { catchEarlyKeys, type EarlyField } from '../../../../../renderer/ui/keyboard/early-keys.ts';

interface Modifiers {
  readonly ctrlKey?: boolean;
  readonly metaKey?: boolean;
  readonly altKey?: boolean;
  readonly shiftKey?: boolean;
  readonly code?: string;
  readonly isAltGraph?: boolean;
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
    begin: (field: EarlyField = 'dialog') => {
      const keys = catchEarlyKeys(field, target, later);
      target.addEventListener('keydown', (event) => heard.push((event as KeyboardEvent).key));
      target.addEventListener('paste', () => heard.push('paste'));
      return keys;
    },
    /** Returns false if the browser would not act on the key. */
    press: (key: string, { isAltGraph = false, ...modifiers }: Modifiers = {}): boolean => {
      const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isComposing: false };
      const event = Object.assign(new Event('keydown', { cancelable: true }), none, { key }, modifiers, {
        getModifierState: (name: string) => name === 'AltGraph' && isAltGraph,
      });
      return target.dispatchEvent(event);
    },
    paste: (text: string) => {
      const clipboardData = { getData: () => text };
      target.dispatchEvent(Object.assign(new Event('paste', { cancelable: true }), { clipboardData }));
    },
    click: () => target.dispatchEvent(new Event('pointerdown')),
    tooLate: () => over?.(),
    isWaiting: () => over !== null,
  };
}

test('keys typed before a field appears become its text and do not reach other elements', () => {
  const { begin, press, heard } = page();
  const keys = begin();
  for (const key of ['c', 'o', 'x', 'Backspace', 'v', ' ', 'é']) press(key);
  expect(keys.take().text).toBe('cov é');
  expect(heard).toEqual([]);
});

test('Enter typed before a field appears submits its text and does not reach elements below', () => {
  const { begin, press, heard } = page();
  const keys = begin();
  press('a');
  press('Enter');
  press('b');
  press('Backspace');
  expect(keys.take()).toEqual({ text: 'a', replacesAll: false, isSent: true });
  expect(keys.take()).toEqual({ text: '', replacesAll: false, isSent: false });
  expect(heard).toEqual([]);
});

/** Returns the key press of a shortcut such as `mod+shift+Z`. */
function pressOf(shortcut: string): readonly [string, Modifiers] {
  const parts = shortcut.split('+');
  const has = (name: string): boolean => parts.slice(0, -1).includes(name);
  const key = (parts.at(-1) ?? '').replace('Space', ' ');
  return [
    key.length === 1 ? key.toLowerCase() : key,
    {
      ctrlKey: has('mod'),
      altKey: has('alt'),
      shiftKey: has('shift'),
      code: key === '\\' ? 'Backslash' : '',
    },
  ];
}

const shortcuts = commandIds.flatMap((id) =>
  factsOf(id).keys.map((keys) => ({ id, keys, when: factsOf(id).when })),
);

test.each(shortcuts.filter(({ id, when }) => when === 'list' || when === 'row' || /^(un|re)do$/u.test(id)))(
  '$keys ($id) does not reach the list while a field is opening',
  ({ keys }) => {
    for (const field of ['page', 'dialog'] as const) {
      const { begin, press, heard } = page();
      begin(field);
      press(...pressOf(keys));
      expect(heard).toEqual([]);
    }
  },
);

const ofWindow = shortcuts.filter(
  ({ id, when, keys }) =>
    (when === 'window' || when === 'folder') && !/^(un|re)do$/u.test(id) && keys !== '?',
);

test.each(ofWindow)(
  '$keys ($id) runs before a field of the page appears, but not before one of a dialog',
  ({ keys }) => {
    const onPage = page();
    onPage.begin('page');
    expect(onPage.press(...pressOf(keys))).toBe(true);
    expect(onPage.heard).toHaveLength(1);
    const inDialog = page();
    inDialog.begin('dialog');
    expect(inDialog.press(...pressOf(keys))).toBe(false);
    expect(inDialog.heard).toEqual([]);
  },
);

test.each([
  'ArrowDown',
  'ArrowUp',
  'Home',
  'End',
  'PageDown',
  'PageUp',
  'Tab',
  'Delete',
  'Insert',
  'ContextMenu',
])('%s, with any modifier, does not reach the list while a field is opening', (key) => {
  const { begin, press, heard } = page();
  const keys = begin();
  for (const modifiers of [{}, { shiftKey: true }, { ctrlKey: true }, { ctrlKey: true, shiftKey: true }])
    press(key, modifiers);
  expect(heard).toEqual([]);
  expect(keys.take().text).toBe('');
});

test('keys that are neither edits nor commands keep their meaning while a field is opening', () => {
  const { begin, press, heard } = page();
  begin();
  expect(press('F12')).toBe(true);
  expect(press('Control', { ctrlKey: true })).toBe(true);
  expect(press('i', { ctrlKey: true, shiftKey: true })).toBe(true);
  expect(heard).toEqual(['F12', 'Control', 'i']);
});

test('Ctrl+Z, Ctrl+Backspace and Ctrl+A edit the text of a field that is opening', () => {
  const { begin, press } = page();
  const keys = begin();
  const type = (text: string): void => {
    for (const key of text) press(key);
  };
  type('first');
  press('z', { ctrlKey: true });
  type('two words');
  press('Backspace', { ctrlKey: true });
  type('more😀');
  press('Backspace');
  expect(keys.take()).toEqual({ text: 'two more', replacesAll: false, isSent: false });
  const others = begin();
  type('gone');
  press('a', { ctrlKey: true });
  type('new');
  expect(others.take()).toEqual({ text: 'new', replacesAll: true, isSent: false });
  const emptied = begin();
  press('a', { ctrlKey: true });
  press('Delete');
  expect(emptied.take()).toEqual({ text: '', replacesAll: true, isSent: false });
});

test.each([
  ['v', { ctrlKey: true }],
  ['Insert', { shiftKey: true }],
] as const)('a text pasted with %s goes into the field that is opening', (key, modifiers) => {
  const { begin, press, paste, heard } = page();
  const keys = begin();
  press('a');
  // The browser fires the paste event only if the key's default is not prevented.
  expect(press(key, modifiers)).toBe(true);
  paste('b\r\nc');
  expect(keys.take().text).toBe('ab c');
  expect(heard).toEqual([]);
  paste('d');
  expect(heard).toEqual(['paste']);
});

test('a character typed with AltGr becomes text of a field that is opening', () => {
  const { begin, press } = page();
  const keys = begin();
  press('@', { ctrlKey: true, altKey: true, isAltGraph: true });
  press('x', { altKey: true });
  expect(keys.take().text).toBe('@');
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
