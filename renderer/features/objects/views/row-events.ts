import { useState, type DragEvent, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react';
import { isCommand } from '../../../ui/keyboard/commands.ts';
import { isMenuKey } from '../../../ui/table/grid-keys.ts';
import { PressedRow } from '../../../ui/table/pressed-row.ts';
import { hasMainModifier } from '../../../ui/keyboard/shortcuts.ts';
import { passKeysToNextField } from '../../../ui/keyboard/early-keys.ts';
import { isEventInside } from '../../../ui/event-inside.ts';
import type { FolderActions } from '../actions/folder-actions.ts';
import type { RowRename } from '../rename/use-row-rename.ts';
import type { FolderRow, ShownRows } from '../rows/folder-row.ts';
import type { RowsInView } from './use-selection.ts';
import type { Viewport } from './use-viewport.ts';

/** The needs of the row behaviour that every view of a folder shares. */
export interface RowEventOptions {
  readonly model: ShownRows;
  readonly viewport: Viewport;
  readonly rows: RowsInView;
  /** Called on Enter or a double click, with the position of the row. */
  readonly onActivate: (position: number, inNewTab: boolean) => void;
  readonly onMenu: (at: { readonly x: number; readonly y: number }) => void;
  /** Opens or closes the preview of the focused row. */
  readonly onLook: (isOpen: boolean) => void;
  readonly isLooking: boolean;
  readonly actions: RowActions;
  /** The row whose name is being edited. */
  readonly renaming: RowRename | null;
}

/** The actions on rows that keys and the mouse trigger. */
export type RowActions = Pick<
  FolderActions,
  'copy' | 'cut' | 'rename' | 'remove' | 'removeVersions' | 'forgetCut' | 'drag'
>;

/**
 * Returns the element and the position of the row in `list` that contains an element. Null for an element outside rows, such as
 * the header or a menu.
 */
function listRowOf(target: EventTarget | null, list: Element | null) {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-row-position]') : null;
  if (element === null || list?.contains(element) !== true) return null;
  const position = Number.parseInt(element.dataset['rowPosition'] ?? '', 10);
  return Number.isNaN(position) ? null : { element, position };
}

/** Returns the row of a folder that contains an element, or null elsewhere. */
export function folderUnder(
  target: EventTarget | null,
  list: Element | null,
  model: Pick<ShownRows, 'row' | 'rowAt'>,
): { readonly element: HTMLElement; readonly row: FolderRow } | null {
  const under = listRowOf(target, list);
  const row = under === null ? undefined : model.row(model.rowAt(under.position));
  return under === null || row?.kind !== 'folder' ? null : { element: under.element, row };
}

interface EventInList {
  readonly target: EventTarget | null;
  readonly currentTarget: Element;
}

/** Returns the position of the row under an event in a list, or null outside rows. */
export function positionOf(event: EventInList): number | null {
  return listRowOf(event.target, event.currentTarget)?.position ?? null;
}

/**
 * Returns handlers of keys, clicks, menus and drags of rows for the element around them, so that rows need no handlers. The press
 * of the pointer decides on which row a click, a menu or a drag acts.
 */
export function useRowEvents(options: RowEventOptions) {
  const { model, viewport, rows, onActivate, onMenu, actions } = options;
  const { focusPosition } = rows;
  const [pressed] = useState(() => new PressedRow<FolderRow>(isSameRow));
  const rowUnder = (event: EventInList): FolderRow | null => {
    const position = positionOf(event);
    return position === null ? null : (model.row(model.rowAt(position)) ?? null);
  };
  /** Returns the position of the row on which an event acts, or null if it is not listed any longer. */
  const placeOf = (event: EventInList, row: FolderRow | null): number | null => {
    if (row === null) return null;
    const under = rowUnder(event);
    if (under !== null && isSameRow(under, row)) return positionOf(event);
    const number = model.find(row.kind, row.key);
    const position = number === -1 ? -1 : model.positionOf(number);
    return position === -1 ? null : position;
  };
  return {
    onKeyDown: (event: KeyboardEvent<HTMLDivElement>): void => {
      if (event.target !== event.currentTarget) return;
      if (options.renaming !== null && returnToField(event, options.renaming, options)) return;
      if (event.key === 'Enter' && !event.altKey) {
        if (focusPosition !== -1) onActivate(focusPosition, hasMainModifier(event));
      } else if (isMenuKey(event)) {
        onMenu(menuPoint(viewport.scroller, focusPosition));
      } else if (event.key === 'Escape' && options.isLooking) {
        options.onLook(false);
      } else if (
        !runAction(event, actions) &&
        !rows.press(event, { perLine: viewport.lines.perLine, pageLines: viewport.pageLines })
      ) {
        if (!isCommand(event, 'look')) return;
        options.onLook(!options.isLooking && focusPosition !== -1);
      }
      event.preventDefault();
    },
    onPointerDown: (event: PointerEvent): void => {
      if (isEventInside(event)) pressed.press(rowUnder(event));
    },
    onClick: (event: MouseEvent): void => {
      if (positionOf(event) === null) return;
      const position = placeOf(event, pressed.clicked(event, rowUnder(event)));
      if (position !== null) rows.click(position, { range: event.shiftKey, keep: hasMainModifier(event) });
    },
    onDoubleClick: (event: MouseEvent): void => {
      if (positionOf(event) === null) return;
      const position = placeOf(event, pressed.doubleClicked(event, rowUnder(event)));
      if (position !== null) onActivate(position, hasMainModifier(event));
    },
    onAuxClick: (event: MouseEvent): void => {
      if (event.button !== 1 || positionOf(event) === null) return;
      const position = placeOf(event, pressed.clicked(event, rowUnder(event)));
      if (position !== null) onActivate(position, true);
    },
    onDragStart: (event: DragEvent): void => {
      if (positionOf(event) === null) return;
      const position = placeOf(event, pressed.pressed(rowUnder(event)));
      if (position === null) {
        event.preventDefault();
        return;
      }
      const number = model.rowAt(position);
      const row = model.row(number);
      if (rows.isSelected(number)) actions.drag(event.dataTransfer, rows.selectedRows());
      else if (row !== undefined) {
        rows.pointAt(position);
        actions.drag(event.dataTransfer, [row]);
      }
    },
    onMouseDown: (event: MouseEvent): void => {
      // Otherwise a click with Shift would select text.
      if (event.shiftKey && isEventInside(event)) event.preventDefault();
    },
    onContextMenu: (event: MouseEvent): void => {
      if (!isEventInside(event)) return;
      event.preventDefault();
      const row = pressed.menuOf(event, rowUnder(event));
      const position = placeOf(event, row);
      // The pressed row is gone: a menu of the folder would be unexpected as well.
      if (row !== null && position === null) return;
      rows.pointAt(position);
      onMenu({ x: event.clientX, y: event.clientY });
    },
  };
}

function isSameRow(row: FolderRow, other: FolderRow): boolean {
  return row.kind === other.kind && row.key === other.key;
}

/** Runs the command on the rows for a key. Returns false for a key without a command. Paste is a separate event. */
function runAction(event: KeyboardEvent, actions: RowActions): boolean {
  // If text is selected, the browser copies the text instead.
  if (isCommand(event, 'copy') && globalThis.getSelection()?.isCollapsed !== false) actions.copy();
  else if (isCommand(event, 'cut')) actions.cut();
  else if (isCommand(event, 'rename')) actions.rename();
  else if (isCommand(event, 'remove')) actions.remove();
  else if (isCommand(event, 'removeVersions')) actions.removeVersions();
  else return event.key === 'Escape' && actions.forgetCut();
  return true;
}

/**
 * Handles a key while the edited name is scrolled out of view. Escape ends the edit; other keys of the field scroll back to it.
 * Returns true if the key was handled.
 */
function returnToField(
  event: KeyboardEvent,
  rename: RowRename,
  { model, viewport }: RowEventOptions,
): boolean {
  const isText = event.key.length === 1 && !hasMainModifier(event) && !event.altKey;
  if (event.key === 'Escape') rename.end(false);
  else if (isText || isCommand(event, 'rename') || ['Enter', 'Backspace', 'Delete'].includes(event.key)) {
    if (isText) rename.draft.type(event.key);
    passKeysToNextField('page');
    viewport.showRow(model.positionOf(model.find(rename.row.kind, rename.row.key)));
  } else return false;
  event.preventDefault();
  return true;
}

/** Returns the position for a menu requested by the keyboard, under the focused row. */
function menuPoint(scroller: HTMLElement | null, position: number): { x: number; y: number } {
  const row = scroller?.querySelector(`[data-row-position="${String(position)}"]`);
  const box = (row ?? scroller)?.getBoundingClientRect();
  return {
    x: (box?.left ?? 0) + 32,
    y: row === null || row === undefined ? (box?.top ?? 0) + 40 : row.getBoundingClientRect().bottom,
  };
}
