import { Menu, type BrowserWindow, type MenuItemConstructorOptions } from 'electron';
import { text } from '../../host/text.ts';

interface Clicked {
  readonly isEditable: boolean;
  readonly selectionText: string;
  readonly editFlags: {
    readonly canUndo: boolean;
    readonly canRedo: boolean;
    readonly canCut: boolean;
    readonly canCopy: boolean;
    readonly canPaste: boolean;
    readonly canSelectAll: boolean;
  };
}

/** Returns the context menu for a text field or selected text; null if neither was clicked. */
function textMenu({ isEditable, selectionText, editFlags }: Clicked): MenuItemConstructorOptions[] | null {
  const copy = { role: 'copy', label: text('menuCopy'), enabled: editFlags.canCopy } as const;
  if (!isEditable) return selectionText.trim() === '' ? null : [copy];
  return [
    { role: 'undo', label: text('menuUndo'), enabled: editFlags.canUndo },
    { role: 'redo', label: text('menuRedo'), enabled: editFlags.canRedo },
    { type: 'separator' },
    { role: 'cut', label: text('menuCut'), enabled: editFlags.canCut },
    copy,
    { role: 'paste', label: text('menuPaste'), enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', label: text('menuSelectAll'), enabled: editFlags.canSelectAll },
  ];
}

/** Shows a menu for text, which Electron does not have. The event fires only if the page shows no other menu. */
export function offerTextMenu(window: BrowserWindow): void {
  window.webContents.on('context-menu', (_event, clicked) => {
    const template = textMenu(clicked);
    if (template !== null) Menu.buildFromTemplate(template).popup({ window });
  });
}
