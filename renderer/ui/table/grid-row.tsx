import { Check } from 'lucide-react';
import type { MouseEvent } from 'react';
import common from '../common.module.css';
import { hasMainModifier } from '../keyboard/shortcuts.ts';
import { isEventInside } from '../event-inside.ts';
import type { VirtualGridProps } from './grid-props.ts';
import type { PressedRow } from './pressed-row.ts';
import { plain } from './selection.ts';
import classes from './table.module.css';

/** Returns true for clicks on a button in the row, or in a menu that such a button opened. These handle their own clicks. */
function isControl(event: MouseEvent): boolean {
  if (!isEventInside(event)) return true;
  return event.target instanceof Element && event.target.closest('button, a, input') !== null;
}

interface GridRowProps<Row> {
  readonly id: string;
  readonly index: number;
  readonly offsetPx: number;
  readonly template: string;
  readonly grid: VirtualGridProps<Row>;
  readonly hasHeader: boolean;
  readonly presses: GridPresses;
}

/** Tells on which row a click acts, although the list may be loaded again between a press and its click. */
export interface GridPresses {
  readonly pressed: PressedRow<unknown>;
  /** Returns the id of a row, also of one that is not loaded. */
  readonly idAt: (index: number) => unknown;
  /** Returns the index of a visible row by its id. `under` is searched first. Null if the row is gone. */
  readonly find: (id: unknown, under: number) => number | null;
}

/** One row, which handles clicks, double clicks and the context menu. */
export function GridRow<Row>({
  id,
  index,
  offsetPx,
  template,
  grid,
  hasHeader,
  presses: { pressed, idAt, find },
}: GridRowProps<Row>) {
  const row = grid.rowAt(index) ?? null;
  const { boxes, loading } = grid;
  const isSelectedAt = (at: number): boolean => {
    const rowAt = grid.rowAt(at) ?? null;
    return boxes === undefined ? at === grid.active : rowAt !== null && boxes.isSelected(rowAt);
  };
  const selected = isSelectedAt(index);
  const open = (at: number): void => {
    const rowAt = grid.rowAt(at) ?? null;
    if (rowAt !== null) grid.onOpen?.(rowAt, at);
  };
  const branch = row === null ? undefined : grid.branchOf?.(row);
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
      className={classes.row}
      style={{
        height: grid.rowHeightPx,
        transform: `translateY(${String(offsetPx)}px)`,
        gridTemplateColumns: template,
      }}
      onPointerDown={(event) => {
        if (isEventInside(event)) pressed.press(idAt(index));
      }}
      onClick={(event) => {
        if (isControl(event) || !isEventInside(event)) return;
        const at = find(pressed.clicked(event, idAt(index)), index);
        if (at === null) return;
        if (grid.opensOnClick === true) {
          open(at);
          return;
        }
        const toggles = event.target instanceof Element && event.target.closest('[data-toggle]') !== null;
        grid.onActive(at, {
          range: event.shiftKey && boxes !== undefined,
          keep: (toggles || hasMainModifier(event)) && boxes !== undefined,
        });
      }}
      onDoubleClick={(event) => {
        if (isControl(event) || !isEventInside(event) || grid.opensOnClick === true) return;
        const at = find(pressed.doubleClicked(event, idAt(index)), index);
        if (at !== null) open(at);
      }}
      onContextMenu={(event) => {
        if (grid.onMenu === undefined || !isEventInside(event)) return;
        event.preventDefault();
        const at = find(pressed.menuOf(event, idAt(index)), index);
        if (at === null) return;
        if (!isSelectedAt(at)) grid.onActive(at, plain);
        const rowAt = grid.rowAt(at) ?? null;
        if (rowAt !== null) grid.onMenu(rowAt, { x: event.clientX, y: event.clientY }, at);
      }}
    >
      {boxes === undefined ? null : (
        <div role="gridcell" className={classes.cell}>
          {row === null ? null : <SelectBox isSelected={selected} />}
        </div>
      )}
      {grid.columns.map((column, at) => (
        <div key={column.id} role="gridcell" className={classes.cell} data-align={column.align ?? 'start'}>
          {row !== null ? (
            column.cell(row)
          ) : at === 0 && loading !== undefined ? (
            <span className={common.quiet}>{loading}</span>
          ) : null}
        </div>
      ))}
    </div>
  );
}

/** The box of a row. A click on it adds the row to the selection, or removes it. */
function SelectBox({ isSelected }: { readonly isSelected: boolean }) {
  return (
    <span className={classes.box} data-on={isSelected} data-toggle aria-hidden>
      {isSelected ? <Check size={12} strokeWidth={3} /> : null}
    </span>
  );
}
