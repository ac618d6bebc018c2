import { Menu, type MenuItemConstructorOptions } from 'electron';
import { text } from '../host/text.ts';

/**
 * Roles bring their own labels, in the system's language. Reload is left out on purpose: F5 and Ctrl/Cmd+R belong to
 * the window, which reads the folder again.
 */
export function menuTemplate(options: {
  readonly mac: boolean;
  readonly packaged: boolean;
}): MenuItemConstructorOptions[] {
  const appMenu: MenuItemConstructorOptions[] = options.mac ? [{ role: 'appMenu' }] : [];
  const developer: MenuItemConstructorOptions[] = options.packaged
    ? []
    : [{ type: 'separator' }, { role: 'toggleDevTools' }];
  return [
    ...appMenu,
    { label: text('menuFile'), submenu: [options.mac ? { role: 'close' } : { role: 'quit' }] },
    {
      label: text('menuEdit'),
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        { type: 'separator' },
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
      ],
    },
    {
      label: text('menuView'),
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        ...developer,
      ],
    },
    { label: text('menuWindow'), role: 'windowMenu' },
  ];
}

export function setMenu(options: { readonly mac: boolean; readonly packaged: boolean }): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(options)));
}
