import type { KeyboardEvent } from 'react';
import { isCommand } from '../keyboard/commands.ts';
import { hasMainModifier } from '../keyboard/shortcuts.ts';
import type { VirtualGridProps } from './grid-props.ts';
import { positionByKey, type Modifiers } from './selection.ts';

/** Handles a key press in a table. `page` is the number of rows per page. */
export function handleKey(
  event: KeyboardEvent,
  props: VirtualGridProps,
  activate: (index: number, how: Modifiers) => void,
  page: number,
): void {
  // Buttons in rows and headings handle their own keys, except arrow keys, which move between the buttons.
  if (event.target !== event.currentTarget) {
    if (isRowControl(event.target)) moveInRow(event, event.target, event.currentTarget);
    return;
  }
  const { active, rowCount } = props;
  const how: Modifiers = { range: event.shiftKey && props.isMulti === true, keep: hasMainModifier(event) };
  const target = event.altKey
    ? null
    : positionByKey(event.key, active, rowCount, { perLine: 1, pageLines: page });
  if (target !== null && rowCount > 0) {
    event.preventDefault();
    activate(target, how);
  } else if (event.key === ' ' && active >= 0 && !how.range) {
    event.preventDefault();
    props.onActive(active, { range: false, keep: props.isMulti === true });
  } else if (event.key === 'Enter' && active >= 0 && props.onOpen !== undefined) {
    event.preventDefault();
    props.onOpen(active);
  } else if (isMenuKey(event) && active >= 0 && props.onMenu !== undefined) {
    event.preventDefault();
    const box = event.currentTarget.querySelector('[data-active="true"]')?.getBoundingClientRect();
    props.onMenu(active, { x: (box?.left ?? 0) + 40, y: box?.bottom ?? 0 });
  } else if (event.key === 'ArrowRight' && !event.altKey && firstControl(event.currentTarget) !== null) {
    event.preventDefault();
    firstControl(event.currentTarget)?.focus();
  } else props.onKey?.(event);
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

function isMenuKey(event: KeyboardEvent): boolean {
  return event.key === 'ContextMenu' || isCommand(event, 'rowMenu');
}
