import { ArrowDown, ArrowUp } from 'lucide-react';
import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  type UIEvent,
} from 'react';
import { useTranslation } from 'react-i18next';
import { ChooserHeading, type ColumnChooser } from './column-chooser.tsx';
import { leastWidthPx, mostWidthPx } from './columns.ts';
import { isKeyboardFreeFor } from '../keyboard/keyboard-place.ts';
import type { MenuPoint } from '../point-menu.tsx';
import { positionByKey, type Modifiers } from './selection.ts';
import { isCommand } from '../keyboard/commands.ts';
import { hasMainModifier } from '../keyboard/shortcuts.ts';
import { Splitter } from '../splitter.tsx';
import { rowWindow, scrollToShow, trackHeight } from './virtual-scroll.ts';
import classes from './virtual-grid.module.css';

export interface GridColumn {
  readonly id: string;
  readonly label: ReactNode;
  /** As in grid-template-columns. */
  readonly width: string;
  readonly align?: 'start' | 'end';
  /** The border at its start moves; null: it has no width of its own yet. Undefined: its width is as it is. */
  readonly edge?: { readonly name: string; readonly widthPx: number | null };
  /** Undefined: this column cannot be sorted by. */
  readonly sort?: 'ascending' | 'descending' | 'none';
  readonly onSort?: () => void;
}

export interface GridChooser extends ColumnChooser {
  readonly resize: (id: string, widthPx: number) => void;
}

export interface VirtualGridProps {
  readonly label: string;
  readonly columns: readonly GridColumn[];
  readonly rowCount: number;
  readonly rowHeightPx: number;
  /** The row the keyboard is at; -1 for none. */
  readonly active: number;
  readonly onActive: (index: number, how: Modifiers) => void;
  /** One for each column. */
  readonly cellsOf: (index: number) => readonly ReactNode[];
  readonly isSelected?: (index: number) => boolean;
  /** Several rows can be selected: Space and Ctrl+click add to them. */
  readonly isMulti?: boolean;
  readonly onOpen?: (index: number) => void;
  /** One click opens a row, as a list of places does; else two do. */
  readonly opensOnClick?: boolean;
  /** Keys that the grid has no use for itself. */
  readonly onKey?: (event: KeyboardEvent) => void;
  /** The menu of the columns, and what moves their borders. */
  readonly chooser?: GridChooser;
  readonly onRange?: (first: number, last: number) => void;
  readonly onMenu?: (index: number, at: { readonly x: number; readonly y: number }) => void;
  /** Without names above the columns, such as a list of one column. */
  readonly hasHeader?: boolean;
  /** When it changes, the list begins at its top again: another order, another filter. */
  readonly topKey?: string;
  /** Takes the keyboard when its first rows come, unless something else on the screen has it. */
  readonly takesKeyboard?: boolean;
  /** A row's place in a tree; makes this a tree grid. */
  readonly branchOf?: (index: number) => GridBranch;
  /** Narrower than this, and the table is scrolled sideways. */
  readonly minWidthPx?: number;
}

export interface GridBranch {
  /** From 1. */
  readonly level: number;
  /** null: nothing is inside. */
  readonly isOpen: boolean | null;
  /** Among the rows beside it, from 1. */
  readonly position: number;
  /** -1: nobody knows yet. */
  readonly siblings: number;
}

const headerPx = 30;
const overscanRows = 6;
const noModifiers: Modifiers = { range: false, keep: false };

/** A table of any length whose rows have one height: only those in sight are elements. Keyboard and screen readers included. */
export function VirtualGrid(props: VirtualGridProps) {
  const { columns, rowCount, rowHeightPx, active, onRange, hasHeader = true } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const { topPx, heightPx, onScroll } = useViewport(scroller);
  const viewportPx = Math.max(0, heightPx - (hasHeader ? headerPx : 0));
  const track = { rowCount, rowHeightPx, viewportPx, footerPx: 0 };
  const { first, end, offsetPx } = rowWindow(track, topPx, overscanRows);
  const last = end - 1;
  useEffect(() => {
    if (viewportPx > 0 && last >= first) onRange?.(first, last);
  }, [first, last, viewportPx, onRange]);

  const { topKey } = props;
  const drawn = useRef(topKey);
  useEffect(() => {
    if (drawn.current === topKey) return;
    drawn.current = topKey;
    if (scroller.current !== null) scroller.current.scrollTop = 0;
  }, [topKey]);

  const { takesKeyboard = false } = props;
  const hasRows = rowCount > 0;
  useEffect(() => {
    const list = scroller.current;
    if (takesKeyboard && hasRows && list !== null && isKeyboardFreeFor(list))
      list.focus({ preventScroll: true });
  }, [takesKeyboard, hasRows]);

  const activate = (index: number, how: Modifiers): void => {
    props.onActive(index, how);
    const element = scroller.current;
    if (element !== null) element.scrollTop = scrollToShow(track, element.scrollTop, index);
  };
  const template = columns.map(({ width }) => width).join(' ');

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it has a role, one of two
    <div
      ref={scroller}
      className={classes.grid}
      role={props.branchOf === undefined ? 'grid' : 'treegrid'}
      aria-label={props.label}
      aria-rowcount={rowCount + (hasHeader ? 1 : 0)}
      aria-colcount={columns.length}
      aria-multiselectable={props.isMulti === true ? true : undefined}
      aria-activedescendant={active >= first && active <= last ? `${id}-${String(active)}` : undefined}
      tabIndex={0}
      onScroll={onScroll}
      data-chooser={props.chooser !== undefined || undefined}
      data-empty={rowCount === 0 || active < 0}
      onKeyDown={(event) => {
        handleKey(event, props, activate, pageRows(scroller.current, rowHeightPx));
      }}
    >
      {hasHeader ? (
        <Header columns={columns} template={template} minWidthPx={props.minWidthPx} chooser={props.chooser} />
      ) : null}
      <div
        role="rowgroup"
        className={classes.body}
        style={{ height: trackHeight(track), minWidth: widthAtLeast(props.minWidthPx) }}
      >
        {Array.from({ length: Math.max(0, end - first) }, (_, at) => (
          <Row
            key={first + at}
            id={`${id}-${String(first + at)}`}
            index={first + at}
            offsetPx={offsetPx + at * rowHeightPx}
            template={template}
            grid={props}
            hasHeader={hasHeader}
          />
        ))}
      </div>
    </div>
  );
}

function widthAtLeast(px: number | undefined): string | undefined {
  return px === undefined ? undefined : `max(100%, ${String(px)}px)`;
}

/** How far it is scrolled and how high it is. */
function useViewport(scroller: RefObject<HTMLDivElement | null>) {
  const [topPx, setTopPx] = useState(0);
  const [heightPx, setHeightPx] = useState(0);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      setHeightPx(element.clientHeight);
      setTopPx(element.scrollTop);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, [scroller]);
  return {
    topPx,
    heightPx,
    onScroll: (event: UIEvent<HTMLDivElement>) => {
      setTopPx(event.currentTarget.scrollTop);
    },
  };
}

function pageRows(scroller: HTMLElement | null, rowHeightPx: number): number {
  return Math.max(1, Math.floor((scroller?.clientHeight ?? 0) / rowHeightPx) - 1);
}

function handleKey(
  event: KeyboardEvent,
  props: VirtualGridProps,
  activate: (index: number, how: Modifiers) => void,
  page: number,
): void {
  // Buttons within rows and headings keep their own keys, but for the arrows that lead between them.
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

/** The first button of the row that the keyboard is at. */
function firstControl(grid: Element): HTMLElement | null {
  return grid.querySelector<HTMLElement>(`[data-active="true"] ${rowControls}`);
}

function isRowControl(target: EventTarget): target is HTMLElement {
  return target instanceof HTMLElement && target.matches(rowControls);
}

/** A row is one tab stop: arrows lead between its buttons, and back to the list. */
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

interface HeaderProps {
  readonly columns: readonly GridColumn[];
  readonly template: string;
  readonly minWidthPx: number | undefined;
  readonly chooser: GridChooser | undefined;
}

function Header({ columns, template, minWidthPx, chooser }: HeaderProps) {
  const [menuAt, setMenuAt] = useState<MenuPoint | null>(null);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a second way to the button's menu
    <div
      role="rowgroup"
      className={classes.header}
      style={{ height: headerPx, minWidth: widthAtLeast(minWidthPx) }}
      onContextMenu={(event) => {
        if (chooser === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        setMenuAt({ x: event.clientX, y: event.clientY });
      }}
    >
      <div
        role="row"
        aria-rowindex={1}
        style={{ display: 'grid', gridTemplateColumns: template, height: '100%' }}
      >
        {columns.map((column) => (
          <div
            key={column.id}
            role="columnheader"
            className={classes.heading}
            data-align={column.align ?? 'start'}
            aria-sort={column.sort}
          >
            {column.onSort === undefined ? (
              column.label
            ) : (
              <button
                type="button"
                className={classes.sort}
                data-sorted={column.sort !== 'none'}
                onClick={column.onSort}
              >
                {column.label}
                {column.sort === 'ascending' ? <ArrowUp size={12} aria-hidden /> : null}
                {column.sort === 'descending' ? <ArrowDown size={12} aria-hidden /> : null}
              </button>
            )}
            {chooser === undefined || column.edge === undefined ? null : (
              <ColumnEdge id={column.id} {...column.edge} chooser={chooser} />
            )}
          </div>
        ))}
        {chooser === undefined ? null : <ChooserHeading chooser={chooser} at={menuAt} onAt={setMenuAt} />}
      </div>
    </div>
  );
}

interface ColumnEdgeProps {
  readonly id: string;
  readonly name: string;
  readonly widthPx: number | null;
  readonly chooser: GridChooser;
}

/** The border at a column's start. A flexible column keeps its measured width until the border is moved. */
function ColumnEdge({ id, name, widthPx, chooser }: ColumnEdgeProps) {
  const { t } = useTranslation();
  const frame = useRef<HTMLSpanElement>(null);
  const [measuredPx, setMeasuredPx] = useState<number | null>(null);
  const measure = (): void => {
    setMeasuredPx(Math.round(frame.current?.parentElement?.getBoundingClientRect().width ?? leastWidthPx));
  };
  return (
    <span ref={frame} onPointerEnter={measure} onFocus={measure}>
      <Splitter
        label={t('common.columns.resize', { column: name })}
        valuePx={widthPx ?? measuredPx ?? leastWidthPx}
        minPx={leastWidthPx}
        maxPx={mostWidthPx}
        part="end"
        className={classes.edge}
        onResize={(px) => chooser.resize(id, px)}
      />
    </span>
  );
}

/** Buttons within rows have clicks of their own. */
function isControl(event: MouseEvent): boolean {
  return event.target instanceof Element && event.target.closest('button, a, input') !== null;
}

interface RowProps {
  readonly id: string;
  readonly index: number;
  readonly offsetPx: number;
  readonly template: string;
  readonly grid: VirtualGridProps;
  readonly hasHeader: boolean;
}

function Row({ id, index, offsetPx, template, grid, hasHeader }: RowProps) {
  const selected = grid.isSelected?.(index) ?? index === grid.active;
  const branch = grid.branchOf?.(index);
  // The keys of rows are the grid's, which has the focus.
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
      onClick={(event) => {
        if (isControl(event)) return;
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
        if (!isControl(event) && grid.opensOnClick !== true) grid.onOpen?.(index);
      }}
      onContextMenu={(event) => {
        if (grid.onMenu === undefined) return;
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
