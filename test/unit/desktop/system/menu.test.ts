import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, test, vi } from 'vitest';
import { acceleratorOf, menuTemplate } from '../../../../electron/desktop/system/menu.ts';

vi.mock('electron', async () => await import('../../../support/electron-stand-in/electron.ts'));

/** Roles that exist in Electron on macOS only (docs/api/menu-item.md). */
const ofMac = ['hide', 'hideOthers', 'unhide', 'services', 'front', 'zoom'];

function itemsOf(mac: boolean): readonly MenuItemConstructorOptions[] {
  const template = menuTemplate({
    mac,
    packaged: true,
    sendCommand: () => undefined,
    openWindow: () => undefined,
    registerLinkHandler: null,
  });
  return template.flatMap((top) => [top, ...(Array.isArray(top.submenu) ? top.submenu : [])]);
}

describe('the menu', () => {
  test('has no macOS-only role on other systems', () => {
    expect(itemsOf(false).filter(({ role }) => role !== undefined && ofMac.includes(role))).toEqual([]);
    expect(itemsOf(true).map(({ role }) => role)).toEqual(expect.arrayContaining(ofMac));
  });

  test.each([true, false])('has a Help menu with the shortcuts, on macOS: %s', (mac) => {
    const help = itemsOf(mac).find(({ role }) => role === 'help');
    expect(help?.submenu).toEqual(expect.arrayContaining([expect.objectContaining({ id: 'openShortcuts' })]));
  });
});

test("the desktop's menu shows key bindings in the notation of the system", () => {
  expect(acceleratorOf('mod+shift+N')).toBe('CmdOrCtrl+Shift+N');
  expect(acceleratorOf('alt+ArrowLeft')).toBe('Alt+Left');
  expect(acceleratorOf('F5')).toBe('F5');
});
