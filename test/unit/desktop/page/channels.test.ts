import { describe, expect, test } from 'vitest';
import { editCommands, isAboutText, isEditCommand } from '../../../../electron/desktop/page/channels.ts';
import { isWindowCommand } from '../../../../shared/commands.ts';

const page = (isField: boolean, hasSelection = false) => ({
  activeElement: { matches: () => isField },
  getSelection: () => ({ isCollapsed: !hasSelection }),
});

describe('the Edit menu', () => {
  test('has a command of the window for each of its entries', () => {
    expect(editCommands.filter((command) => !isWindowCommand(command))).toEqual([]);
  });

  test.each(editCommands)('applies %s to text in a text field, and to objects elsewhere', (command) => {
    expect(isAboutText(command, page(true))).toBe(true);
    expect(isAboutText(command, page(false))).toBe(false);
  });

  test('copies selected text of the page, but cuts objects', () => {
    expect(isAboutText('copy', page(false, true))).toBe(true);
    expect(isAboutText('cut', page(false, true))).toBe(false);
  });

  test('accepts no other names of text commands', () => {
    expect(isEditCommand('copy')).toBe(true);
    for (const name of ['executeJavaScript', 'constructor', '', 7, null])
      expect(isEditCommand(name)).toBe(false);
  });
});
