import { useEffect, useId, useRef, useState, type RefObject, type UIEvent } from 'react';
import { mayTakeFocus } from '../keyboard/keyboard-place.ts';
import { GridHeader, headerPx, widthAtLeast } from './grid-header.tsx';
import { handleKey } from './grid-keys.ts';
import type { GridHeading, VirtualGridProps } from './grid-props.ts';
import { GridRow } from './grid-row.tsx';
import { useKeptInSight } from './kept-in-sight.ts';
import { PressedRow } from './pressed-row.ts';
import type { Modifiers } from './selection.ts';
import { useTypedText } from './type-ahead.ts';
import { rowWindow, scrollToShow, trackHeight } from './virtual-scroll.ts';
import classes from './table.module.css';

const overscanRows = 6;

/** A table of any length with rows of one height. Only visible rows are elements. Supports keyboard and screen readers. */
export function VirtualGrid<Row>(props: VirtualGridProps<Row>) {
  const { boxes, rowCount, rowHeightPx, active, onRange, hasHeader = true } = props;
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
  const renderedTopKey = useRef(topKey);
  useEffect(() => {
    if (renderedTopKey.current === topKey) return;
    renderedTopKey.current = topKey;
    if (scroller.current !== null) scroller.current.scrollTop = 0;
  }, [topKey]);

  const { takesKeyboard = false } = props;
  const hasRows = rowCount > 0;
  useEffect(() => {
    const list = scroller.current;
    if (takesKeyboard && hasRows && list !== null && mayTakeFocus(list)) list.focus({ preventScroll: true });
  }, [takesKeyboard, hasRows]);

  const show = (index: number): void => {
    const element = scroller.current;
    if (element !== null) element.scrollTop = scrollToShow(track, element.scrollTop, index);
  };
  useKeptInSight({
    of: props.topKey,
    size: String(heightPx),
    position: active,
    isInSight: () => scrollToShow(track, topPx, active) === topPx,
    show: () => show(active),
  });
  const { seek } = props;
  const sought = useRef(seek);
  useEffect(() => {
    if (sought.current === seek || seek === undefined) return;
    sought.current = seek;
    show(seek.row);
  });
  const activate = (index: number, how: Modifiers): void => {
    props.onActive(index, how);
    show(index);
  };
  const columns: readonly GridHeading[] =
    boxes === undefined
      ? props.columns
      : [
          { id: '', label: <span className="visually-hidden">{boxes.label}</span>, width: '32px' },
          ...props.columns,
        ];
  const typedText = useTypedText();
  const [pressed] = useState(() => new PressedRow<unknown>(Object.is));
  const indexes = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);
  const idAt = (index: number): unknown => {
    const row = props.rowAt(index) ?? null;
    return row === null ? `unloaded ${String(index)}` : props.idOf(row);
  };
  const find = (rowId: unknown, under: number): number | null =>
    [under, ...indexes].find((index) => Object.is(idAt(index), rowId)) ?? null;
  const template = columns.map(({ width }) => width).join(' ');

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- its role is computed
    <div
      ref={scroller}
      className={classes.grid}
      role={props.branchOf === undefined ? 'grid' : 'treegrid'}
      aria-label={props.label}
      aria-rowcount={rowCount + (hasHeader ? 1 : 0)}
      aria-colcount={columns.length}
      aria-multiselectable={boxes === undefined ? undefined : true}
      aria-activedescendant={active >= first && active <= last ? `${id}-${String(active)}` : undefined}
      tabIndex={0}
      onScroll={onScroll}
      data-chooser={props.chooser !== undefined || undefined}
      data-empty={rowCount === 0 || active < 0}
      onKeyDown={(event) =>
        handleKey(event, props, activate, { page: pageRows(scroller.current, rowHeightPx), typedText })
      }
    >
      {hasHeader ? (
        <GridHeader
          columns={columns}
          template={template}
          minWidthPx={props.minWidthPx}
          chooser={props.chooser}
        />
      ) : null}
      <div
        role="rowgroup"
        className={classes.body}
        style={{ height: trackHeight(track), minWidth: widthAtLeast(props.minWidthPx) }}
      >
        {indexes.map((index, at) => (
          <GridRow
            key={index}
            id={`${id}-${String(index)}`}
            index={index}
            offsetPx={offsetPx + at * rowHeightPx}
            template={template}
            grid={props}
            hasHeader={hasHeader}
            presses={{ pressed, idAt, find }}
          />
        ))}
      </div>
    </div>
  );
}

/** Returns the scroll position and the height of an element. */
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
    return () => observer.disconnect();
  }, [scroller]);
  return {
    topPx,
    heightPx,
    onScroll: (event: UIEvent<HTMLDivElement>) => setTopPx(event.currentTarget.scrollTop),
  };
}

function pageRows(scroller: HTMLElement | null, rowHeightPx: number): number {
  return Math.max(1, Math.floor((scroller?.clientHeight ?? 0) / rowHeightPx) - 1);
}
