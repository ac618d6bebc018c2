import type { KeyboardEvent } from 'react';
import { isCommand } from '../keyboard/commands.ts';
import { hasMainModifier } from '../keyboard/shortcuts.ts';
import type { VirtualGridProps } from './grid-props.ts';
import { plain, positionByKey, type Modifiers } from './selection.ts';
import { nextByName } from './type-ahead.ts';

interface KeyState {
  /** The number of rows per page. */
  readonly page: number;
  /** Returns the text typed so far, or null for a key that is not a letter. */
  readonly typedText: (event: KeyboardEvent) => string | null;
}

/** Handles a key press in a table. */
export function handleKey<Row>(
  event: KeyboardEvent,
  props: VirtualGridProps<Row>,
  activate: (index: number, how: Modifiers) => void,
  { page, typedText }: KeyState,
): void {
  // Buttons in rows and headings handle their own keys, except arrow keys, which move between the buttons.
  if (event.target !== event.currentTarget) {
    if (isRowControl(event.target)) moveInRow(event, event.target, event.currentTarget);
    return;
  }
  const { active, rowCount } = props;
  const isText = !event.ctrlKey && !event.metaKey && !event.altKey;
  const typed = isText ? typedText(event) : null;
  const isMulti = props.boxes !== undefined;
  const row = active < 0 ? null : (props.rowAt(active) ?? null);
  const how: Modifiers = { range: event.shiftKey && isMulti, keep: hasMainModifier(event) };
  const target = event.altKey
    ? null
    : positionByKey(event.key, active, rowCount, { perLine: 1, pageLines: page });
  if (target !== null && rowCount > 0) {
    event.preventDefault();
    activate(target, how);
  } else if (event.key === ' ' && active >= 0 && !how.range) {
    event.preventDefault();
    props.onActive(active, { range: false, keep: isMulti });
  } else if (event.key === 'Enter' && active >= 0 && props.onOpen !== undefined) {
    event.preventDefault();
    if (row !== null) props.onOpen(row, active);
  } else if (isMenuKey(event) && active >= 0 && props.onMenu !== undefined) {
    event.preventDefault();
    const box = event.currentTarget.querySelector('[data-active="true"]')?.getBoundingClientRect();
    if (row !== null) props.onMenu(row, { x: (box?.left ?? 0) + 40, y: box?.bottom ?? 0 }, active);
  } else if (event.key === 'ArrowRight' && !event.altKey && firstControl(event.currentTarget) !== null) {
    event.preventDefault();
    firstControl(event.currentTarget)?.focus();
  } else {
    const found = typed === null ? -1 : nextByName(props.names?.() ?? [], active, typed);
    if (found >= 0) activate(found, plain);
    else props.onKey?.(event);
  }
}

const rowControls = '[role="gridcell"] button:not([disabled])';

/** Returns the first button of the focused row. */
function firstControl(grid: Element): HTMLElement | null {
  return grid.querySelector<HTMLElement>(`[data-active="true"] ${rowControls}`);
}

function isRowControl(target: EventTarget): target is HTMLElement {
  return target instanceof HTMLElement && target.matches(rowControls);
}

/** Moves focus by arrow keys between the buttons in a row, or back to the list. The whole row is one tab stop. */
function moveInRow(event: KeyboardEvent, from: HTMLElement, grid: Element): void {
  if (event.altKey || hasMainModifier(event)) return;
  const row = from.closest('[role="row"]');
  const all = row === null ? [] : [...row.querySelectorAll<HTMLElement>(rowControls)];
  const at = all.indexOf(from);
  const next =
    event.key === 'ArrowRight'
      ? (all[at + 1] ?? from)
      : event.key === 'ArrowLeft'
        ? (all[at - 1] ?? grid)
        : event.key === 'Escape'
          ? grid
          : null;
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
}

/** Returns true for the keys that open the menu of the focused row. */
export function isMenuKey(event: KeyboardEvent): boolean {
  return event.key === 'ContextMenu' || isCommand(event, 'rowMenu');
}
