import { describe, expect, it } from 'vitest';
import { fileKind } from '../../../../renderer/ui/file-kind.ts';
import {
  formatBytes,
  formatCount,
  formatDate,
  formatExactBytes,
  formatMebibytes,
} from '../../../../renderer/ui/format.ts';
import { isShortcut, shortcutText } from '../../../../renderer/ui/shortcuts.ts';

describe('numbers for reading', () => {
  it('gives sizes their unit, and never a thousand of one', () => {
    expect(formatBytes(0, 'en')).toBe('0 bytes');
    expect(formatBytes(1, 'en')).toBe('1 byte');
    expect(formatBytes(999, 'en')).toBe('999 bytes');
    expect(formatBytes(1000, 'en')).toBe('1 kB');
    expect(formatBytes(999_960, 'en')).toBe('1 MB');
    expect(formatBytes(1_234_567, 'en')).toBe('1.2 MB');
    expect(formatBytes(123_456_789, 'en')).toBe('123 MB');
    expect(formatBytes(5 * 1024 ** 4, 'en')).toBe('5.5 TB');
  });

  it('gives exact sizes and counts with separators', () => {
    expect(formatExactBytes(1_234_567, 'en')).toBe('1,234,567 bytes');
    expect(formatCount(30_000, 'de')).toBe('30.000');
    expect(formatMebibytes(20 * 1024 * 1024, 'en')).toBe('20\u00A0MiB');
  });

  it('shows a time that is none as it came', () => {
    expect(formatDate('sometime', 'en')).toBe('sometime');
    expect(formatDate('2026-01-02T03:04:05Z', 'en')).toMatch(/2026/);
  });
});

describe('kinds of files', () => {
  it('goes by the last ending, whatever its case', () => {
    expect(fileKind('a.PNG')).toBe('image');
    expect(fileKind('a.tar.gz')).toBe('archive');
    expect(fileKind('png')).toBe('file');
    expect(fileKind('')).toBe('file');
    expect(fileKind('x.constructor')).toBe('file');
  });
});

describe('shortcuts', () => {
  const press = { key: 'l', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

  it('takes Ctrl elsewhere for what Cmd is on a Mac', () => {
    expect(isShortcut({ ...press, ctrlKey: true }, 'mod+l', false)).toBe(true);
    expect(isShortcut({ ...press, ctrlKey: true }, 'mod+l', true)).toBe(false);
    expect(isShortcut({ ...press, metaKey: true }, 'mod+l', true)).toBe(true);
  });

  it('wants exactly the modifiers it names', () => {
    expect(isShortcut({ ...press, ctrlKey: true, shiftKey: true }, 'mod+l', false)).toBe(false);
    expect(isShortcut({ ...press, key: 'ArrowUp', altKey: true }, 'alt+ArrowUp', false)).toBe(true);
    expect(isShortcut({ ...press, key: 'ArrowUp' }, 'alt+ArrowUp', false)).toBe(false);
  });

  it('writes them as people of the platform do', () => {
    expect(shortcutText('mod+shift+F', false)).toBe('Ctrl+Shift+F');
    expect(shortcutText('mod+K', true)).toBe('⌘K');
  });
});
