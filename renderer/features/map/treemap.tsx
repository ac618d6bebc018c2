import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useLayoutEffect, useRef, useState, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { MapColouring, MapMeasure, MapNode } from '../../../shared/models/map.ts';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import { formatBytes, formatCount, formatDate, formatShare } from '../../ui/words/format.ts';
import type { MenuPoint } from '../../ui/menus.tsx';
import { nodeColours } from './colours.ts';
import { drawMap } from './draw.ts';
import { nodeAt } from './treemap-layout.ts';
import { nodeWords } from './node-words.ts';
import { useLayout } from './use-layout.ts';
import classes from './map.module.css';

interface Props {
  readonly nodes: readonly MapNode[];
  readonly measure: MapMeasure;
  readonly colouring: MapColouring;
  readonly storageClasses: readonly string[];
  readonly label: string;
  /** The index of the selected node, or -1. */
  readonly selected: number;
  readonly onSelect: (at: number) => void;
  readonly onOpen: (at: number, inNewTab: boolean) => void;
  readonly onMenu: (at: number, point: MenuPoint) => void;
  readonly onCanvas: (canvas: HTMLCanvasElement | null) => void;
}

interface Hover {
  readonly at: number;
  readonly x: number;
  readonly y: number;
}

/** Shows the map as a picture for mouse users. The table beside it gives the same facts to keyboard and screen-reader users. */
export function Treemap(props: Props) {
  const { nodes, measure, colouring, storageClasses, label, selected, onOpen, onMenu } = props;
  const { t } = useTranslation();
  const scheme = useComputedColorScheme('light');
  const { ref, width, height } = useElementSize();
  const laid = useLayout(nodes, measure, { widthPx: Math.floor(width), heightPx: Math.floor(height) });
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hover, setHover] = useState<Hover | null>(null);
  const pixelRatio = globalThis.devicePixelRatio;

  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d', { alpha: false }) ?? null;
    if (canvas.current === null || context === null || laid === null) return;
    canvas.current.width = Math.round(laid.widthPx * pixelRatio);
    canvas.current.height = Math.round(laid.heightPx * pixelRatio);
    const style = getComputedStyle(canvas.current);
    drawMap(
      context,
      laid,
      {
        colours: nodeColours(laid.nodes, colouring, storageClasses),
        nameOf: (at) => nodeWords(laid.nodes[at], t),
        amountOf: (at) => amountOf(laid.nodes[at], measure),
        background: style.getPropertyValue('--cooper-surface').trim(),
        font: style.fontFamily,
      },
      pixelRatio,
    );
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the scheme changes the colours read from the style
  }, [laid, colouring, storageClasses, measure, pixelRatio, scheme, t]);

  const at = ({ clientX, clientY, currentTarget }: MouseEvent): Hover => {
    const box = currentTarget.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    return { at: laid === null ? -1 : nodeAt(laid.rects, laid.parents, x, y), x, y };
  };
  const shownHover = hover !== null && hover.at > 0 ? hover : null;
  return (
    <div ref={ref} className={joinClasses(common.fill, common.clip, classes.picture)}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- the table beside it is the way by keyboard */}
      <canvas
        ref={(element) => {
          canvas.current = element;
          props.onCanvas(element);
        }}
        role="img"
        aria-label={label}
        className={classes.canvas}
        style={{ width: laid?.widthPx ?? 0, height: laid?.heightPx ?? 0 }}
        onPointerMove={(event) => setHover(at(event))}
        onPointerLeave={() => setHover(null)}
        onClick={(event) => {
          const { at: place } = at(event);
          if (place <= 0) return;
          props.onSelect(place);
          onOpen(place, event.ctrlKey || event.metaKey);
        }}
        onContextMenu={(event) => {
          event.preventDefault();
          const { at: place } = at(event);
          if (place <= 0) return;
          props.onSelect(place);
          onMenu(place, { x: event.clientX, y: event.clientY });
        }}
      />
      {laid === null ? null : <Outline laid={laid} at={selected} kind="selected" />}
      {laid === null || shownHover === null ? null : (
        <>
          <Outline laid={laid} at={shownHover.at} kind="hover" />
          <Tip hover={shownHover} laid={laid} measure={measure} />
        </>
      )}
    </div>
  );
}

function amountOf(node: MapNode | undefined, measure: MapMeasure): string {
  if (node === undefined) return '';
  return measure === 'size' ? formatBytes(node.sizeBytes) : formatCount(node.objects);
}

interface LaidProps {
  readonly laid: NonNullable<ReturnType<typeof useLayout>>;
}

/** An outline drawn above the canvas, which then need not be redrawn. */
function Outline({
  laid,
  at,
  kind,
}: LaidProps & { readonly at: number; readonly kind: 'hover' | 'selected' }) {
  const [left = 0, top = 0, right = 0, bottom = 0] = laid.rects.subarray(at * 4, at * 4 + 4);
  if (at <= 0 || right <= left) return null;
  return (
    <div
      className={classes.frame}
      data-kind={kind}
      style={{
        transform: `translate(${String(left)}px, ${String(top)}px)`,
        width: right - left,
        height: bottom - top,
      }}
    />
  );
}

function Tip({ hover, laid, measure }: LaidProps & { readonly hover: Hover; readonly measure: MapMeasure }) {
  const { t } = useTranslation();
  const node = laid.nodes[hover.at];
  const whole = laid.nodes[0];
  if (node === undefined || whole === undefined) return null;
  const path: string[] = [];
  for (let at = hover.at; at > 0; at = laid.parents[at] ?? -1) path.unshift(nodeWords(laid.nodes[at], t));
  const share =
    measure === 'size'
      ? node.sizeBytes / Math.max(1, whole.sizeBytes)
      : node.objects / Math.max(1, whole.objects);
  const isRight = hover.x > laid.widthPx / 2;
  const isLow = hover.y > laid.heightPx / 2;
  return (
    <div
      className={joinClasses(common.column, common.breaks, classes.tip)}
      style={{
        [isRight ? 'right' : 'left']: isRight ? laid.widthPx - hover.x + 14 : hover.x + 14,
        [isLow ? 'bottom' : 'top']: isLow ? laid.heightPx - hover.y + 10 : hover.y + 14,
      }}
    >
      <strong>{path.join(' › ')}</strong>
      <span>
        {[
          formatBytes(node.sizeBytes),
          t('map.objects', { count: node.objects, number: formatCount(node.objects) }),
          formatShare(share),
        ].join(' · ')}
      </span>
      {node.newest === null ? null : <span>{t('map.newestAt', { time: formatDate(node.newest) })}</span>}
    </div>
  );
}
