import type { MouseEvent } from 'react';
import { hasMainModifier } from '../keyboard/shortcuts.ts';
import { isEventInside } from '../event-inside.ts';
import type { VirtualGridProps } from './grid-props.ts';
import type { Modifiers } from './selection.ts';
import classes from './table.module.css';

const noModifiers: Modifiers = { range: false, keep: false };

/** Returns true for clicks on a button in the row, or in a menu that such a button opened. These handle their own clicks. */
function isControl(event: MouseEvent): boolean {
  if (!isEventInside(event)) return true;
  return event.target instanceof Element && event.target.closest('button, a, input') !== null;
}

interface GridRowProps {
  readonly id: string;
  readonly index: number;
  readonly offsetPx: number;
  readonly template: string;
  readonly grid: VirtualGridProps;
  readonly hasHeader: boolean;
}

/** One row, which handles clicks, double clicks and the context menu. */
export function GridRow({ id, index, offsetPx, template, grid, hasHeader }: GridRowProps) {
  const selected = grid.isSelected?.(index) ?? index === grid.active;
  const branch = grid.branchOf?.(index);
  // The grid has focus and handles the keys of its rows.
  // oxlint-disable jsx-a11y/click-events-have-key-events
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index + (hasHeader ? 2 : 1)}
      aria-selected={selected}
      aria-level={branch?.level}
      aria-expanded={branch?.isOpen ?? undefined}
      aria-posinset={branch?.position}
      aria-setsize={branch?.siblings}
      data-selected={selected}
      data-active={index === grid.active}
      draggable={grid.onDragStart !== undefined}
      className={classes.row}
      style={{
        height: grid.rowHeightPx,
        transform: `translateY(${String(offsetPx)}px)`,
        gridTemplateColumns: template,
      }}
      onClick={(event) => {
        if (isControl(event) || !isEventInside(event)) return;
        if (grid.opensOnClick === true) {
          grid.onOpen?.(index);
          return;
        }
        const toggles = event.target instanceof Element && event.target.closest('[data-toggle]') !== null;
        grid.onActive(index, {
          range: event.shiftKey && grid.isMulti === true,
          keep: (toggles || hasMainModifier(event)) && grid.isMulti === true,
        });
      }}
      onDoubleClick={(event) => {
        if (!isControl(event) && isEventInside(event) && grid.opensOnClick !== true) grid.onOpen?.(index);
      }}
      onDragStart={(event) => {
        if (isEventInside(event)) grid.onDragStart?.(index, event);
      }}
      onContextMenu={(event) => {
        if (grid.onMenu === undefined || !isEventInside(event)) return;
        event.preventDefault();
        if (!selected) grid.onActive(index, noModifiers);
        grid.onMenu(index, { x: event.clientX, y: event.clientY });
      }}
    >
      {grid.cellsOf(index).map((cell, at) => {
        const column = grid.columns[at];
        return (
          <div
            key={column?.id ?? at}
            role="gridcell"
            className={classes.cell}
            data-align={column?.align ?? 'start'}
          >
            {cell}
          </div>
        );
      })}
    </div>
  );
}
