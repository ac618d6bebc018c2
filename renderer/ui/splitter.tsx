import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { joinClasses } from './class-names.ts';
import classes from './parts.module.css';

interface SplitterProps {
  readonly label: string;
  /** The size in px of the part that the splitter resizes. */
  readonly valuePx: number;
  readonly minPx: number;
  readonly maxPx: number;
  /** With `start`, the resized part is before the splitter (left of it or above it). */
  readonly part: 'start' | 'end';
  readonly axis?: 'x' | 'y';
  readonly className?: string | undefined;
  readonly onResize: (valuePx: number) => void;
}

const stepPx = 16;

/** A border that can be dragged or moved with the arrow keys. */
export function Splitter(props: SplitterProps) {
  const { label, valuePx, minPx, maxPx, part, axis = 'x', className, onResize } = props;
  const start = useRef<{ readonly at: number; readonly value: number } | null>(null);
  const sign = part === 'start' ? 1 : -1;
  const resize = (value: number): void => onResize(Math.round(Math.max(minPx, Math.min(maxPx, value))));
  const positionOf = (event: PointerEvent): number => (axis === 'x' ? event.clientX : event.clientY);
  const press = (event: KeyboardEvent): void => {
    const less = axis === 'x' ? 'ArrowLeft' : 'ArrowUp';
    const more = axis === 'x' ? 'ArrowRight' : 'ArrowDown';
    if (event.key !== less && event.key !== more) return;
    event.preventDefault();
    event.stopPropagation();
    resize(valuePx + (event.key === more ? stepPx : -stepPx) * sign);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the ARIA window splitter pattern
    <div
      role="separator"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard moves the splitter
      tabIndex={0}
      aria-label={label}
      aria-orientation={axis === 'x' ? 'vertical' : 'horizontal'}
      aria-valuenow={valuePx}
      aria-valuemin={minPx}
      aria-valuemax={maxPx}
      className={joinClasses(classes.splitter, className)}
      data-axis={axis}
      onKeyDown={press}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { at: positionOf(event), value: valuePx };
      }}
      onPointerMove={(event) => {
        if (start.current !== null)
          resize(start.current.value + (positionOf(event) - start.current.at) * sign);
      }}
      onPointerUp={() => {
        start.current = null;
      }}
      onPointerCancel={() => {
        start.current = null;
      }}
    />
  );
}
