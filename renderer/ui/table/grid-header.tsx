import { ArrowDown, ArrowUp } from 'lucide-react';
import { memo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isEventInside } from '../event-inside.ts';
import type { MenuPoint } from '../menus.tsx';
import { Splitter } from '../splitter.tsx';
import { ChooserHeading } from './column-chooser.tsx';
import { minColumnWidthPx, maxColumnWidthPx } from './columns.ts';
import type { GridChooser, GridHeading } from './grid-props.ts';
import classes from './table.module.css';

export const headerPx = 30;

export function widthAtLeast(px: number | undefined): string | undefined {
  return px === undefined ? undefined : `max(100%, ${String(px)}px)`;
}

interface GridHeaderProps {
  readonly columns: readonly GridHeading[];
  readonly template: string;
  readonly minWidthPx: number | undefined;
  readonly chooser: GridChooser | undefined;
  /** More entries for the columns menu. */
  readonly menu?: ReactNode;
  /** True if Tab skips the names, for a list whose keys sort otherwise. */
  readonly skipsTab?: boolean;
}

/**
 * The column names. A click on a name sorts, and the borders can be dragged. Memoized, since opening another folder must not
 * render it again.
 */
export const GridHeader = memo(function GridHeader(props: GridHeaderProps) {
  const { columns, template, minWidthPx, chooser, menu, skipsTab = false } = props;
  const [menuAt, setMenuAt] = useState<MenuPoint | null>(null);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the menu also opens from a button
    <div
      role="rowgroup"
      className={classes.header}
      style={{ height: headerPx, minWidth: widthAtLeast(minWidthPx) }}
      onContextMenu={(event) => {
        if (chooser === undefined || !isEventInside(event)) return;
        event.preventDefault();
        // Otherwise the menu of the rows would open.
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
            // Otherwise, screen readers would announce the value of the resize handle with every cell: "Size 104".
            aria-label={typeof column.label === 'string' ? column.label : undefined}
            className={classes.heading}
            data-align={column.align ?? 'start'}
            aria-sort={column.sort}
          >
            {column.onSort === undefined || column.hint !== undefined ? (
              <span title={column.hint}>{column.label}</span>
            ) : (
              <button
                type="button"
                tabIndex={skipsTab ? -1 : 0}
                className={classes.sort}
                data-sorted={column.sort !== 'none'}
                onClick={column.onSort}
              >
                {column.label}
                {column.sort === 'ascending' ? <ArrowUp size={12} aria-hidden /> : null}
                {column.sort === 'descending' ? <ArrowDown size={12} aria-hidden /> : null}
              </button>
            )}
            {column.note}
            {chooser === undefined || column.edge === undefined ? null : (
              <ColumnEdge id={column.id} {...column.edge} chooser={chooser} />
            )}
          </div>
        ))}
        {chooser === undefined ? null : (
          <ChooserHeading chooser={chooser} at={menuAt} onAt={setMenuAt}>
            {menu}
          </ChooserHeading>
        )}
      </div>
    </div>
  );
});

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
    setMeasuredPx(
      Math.round(frame.current?.parentElement?.getBoundingClientRect().width ?? minColumnWidthPx),
    );
  };
  return (
    <span ref={frame} onPointerEnter={measure} onFocus={measure}>
      <Splitter
        label={t('common.columns.resize', { column: name })}
        valuePx={widthPx ?? measuredPx ?? minColumnWidthPx}
        minPx={minColumnWidthPx}
        maxPx={maxColumnWidthPx}
        part="end"
        className={classes.edge}
        onResize={(px) => chooser.resize(id, px)}
      />
    </span>
  );
}
