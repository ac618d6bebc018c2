import { expect, test } from 'vitest';
import { commandOf } from '../../../../../renderer/ui/keyboard/commands.ts';
import { isShortcut, shortcutText } from '../../../../../renderer/ui/keyboard/shortcuts.ts';

const press = { key: 'l', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

test('a shortcut uses Cmd on a Mac and Ctrl elsewhere', () => {
  expect(isShortcut({ ...press, ctrlKey: true }, 'mod+l', false)).toBe(true);
  expect(isShortcut({ ...press, ctrlKey: true }, 'mod+l', true)).toBe(false);
  expect(isShortcut({ ...press, metaKey: true }, 'mod+l', true)).toBe(true);
});

test('a shortcut matches exactly its modifiers', () => {
  expect(isShortcut({ ...press, ctrlKey: true, shiftKey: true }, 'mod+l', false)).toBe(false);
  expect(isShortcut({ ...press, key: 'ArrowUp', altKey: true }, 'alt+ArrowUp', false)).toBe(true);
  expect(isShortcut({ ...press, key: 'ArrowUp' }, 'alt+ArrowUp', false)).toBe(false);
});

test('a shortcut is displayed in the style of the platform', () => {
  expect(shortcutText('mod+shift+F', false)).toBe('Ctrl+Shift+F');
  expect(shortcutText('mod+K', true)).toBe('⌘K');
  expect(shortcutText('alt+ArrowDown', false)).toBe('Alt+↓');
  expect(shortcutText('alt+ArrowDown', true)).toBe('⌥↓');
});

test('a Cyrillic layout matches by key position, and another Latin layout by letter', () => {
  expect(isShortcut({ ...press, key: 'д', code: 'KeyL', ctrlKey: true }, 'mod+L', false)).toBe(true);
  expect(isShortcut({ ...press, key: 'q', code: 'KeyA', ctrlKey: true }, 'mod+A', false)).toBe(false);
  expect(isShortcut({ ...press, key: 'a', code: 'KeyQ', ctrlKey: true }, 'mod+A', false)).toBe(true);
});

test('a punctuation shortcut matches with and without Shift', () => {
  expect(isShortcut({ ...press, key: '?', shiftKey: true }, '?', false)).toBe(true);
  expect(isShortcut({ ...press, key: '?' }, '?', false)).toBe(true);
  expect(isShortcut({ ...press, key: '?', ctrlKey: true }, '?', false)).toBe(false);
});

test('a key press is mapped to one command or none', () => {
  const platform = { ...press, ctrlKey: true };
  expect(commandOf(platform)).toBe('editPath');
  expect(commandOf({ ...platform, key: 'L' })).toBe('editPath');
  expect(commandOf({ ...press, key: '?', shiftKey: true })).toBe('openShortcuts');
  expect(commandOf(press)).toBeNull();
});

test('Space has its own command, and another with Ctrl', () => {
  const space = { ...press, key: ' ', code: 'Space' };
  expect(commandOf(space)).toBe('look');
  expect(commandOf({ ...space, ctrlKey: true })).toBe('toggleSelected');
  expect(shortcutText('mod+Space', false)).toBe('Ctrl+Space');
});
