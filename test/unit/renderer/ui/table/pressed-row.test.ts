import { expect, test } from 'vitest';
import { PressedRow } from '../../../../../renderer/ui/table/pressed-row.ts';

const click = { detail: 1 };
const doubleClick = { detail: 2 };
const byAssistant = { detail: 0 };
const menu = (pointer: object) => ({ nativeEvent: pointer as MouseEvent });
const rows = () => new PressedRow<string>((row, other) => row === other);

test('a click acts on the pressed row, whichever row is under the pointer by then', () => {
  const pressed = rows();
  pressed.press('a');
  expect(pressed.clicked(click, 'b')).toBe('a');
  expect(pressed.pressed('b')).toBe('a');
});

test('a click that began between rows acts on none', () => {
  const pressed = rows();
  pressed.press(null);
  expect(pressed.clicked(click, 'b')).toBeNull();
  expect(pressed.pressed('b')).toBeNull();
});

test('a click without a press acts on the row under it', () => {
  const pressed = rows();
  expect(pressed.clicked(click, 'b')).toBe('b');
  pressed.press('a');
  expect(pressed.clicked(byAssistant, 'b')).toBe('b');
  expect(pressed.doubleClicked(byAssistant, 'b')).toBe('b');
});

test('a menu acts on the pressed row, or on the row under it if the keyboard opened it', () => {
  const pressed = rows();
  expect(pressed.menuOf(menu({ pointerType: 'mouse' }), 'b')).toBe('b');
  pressed.press('a');
  expect(pressed.menuOf(menu({ pointerType: 'mouse' }), 'b')).toBe('a');
  expect(pressed.menuOf(menu({}), 'b')).toBe('a');
  expect(pressed.menuOf(menu({ pointerType: '' }), 'b')).toBe('b');
});

test('a double click acts only if both presses hit the same row', () => {
  const pressed = rows();
  pressed.press('a');
  pressed.press('a');
  expect(pressed.doubleClicked(doubleClick, 'b')).toBe('a');
  pressed.press('b');
  expect(pressed.doubleClicked(doubleClick, 'b')).toBeNull();
  pressed.press('b');
  expect(pressed.doubleClicked(doubleClick, 'b')).toBe('b');
  pressed.press(null);
  expect(pressed.doubleClicked(doubleClick, 'b')).toBeNull();
});
