import { hasHead, headPx } from './treemap-layout.ts';
import type { LaidMap } from './use-layout.ts';
import { splitName } from '../../../shared/keys/display.ts';

/** Number of characters that must fit for a name to be drawn. */
const minShown = 6;

/**
 * Shortens a name to the available width. Omits the middle, to keep the extension, or else the end. Returns '' if too few
 * characters would remain.
 */
export function fittingName(measure: (text: string) => number, name: string, roomPx: number): string {
  if (measure(name) <= roomPx) return name;
  const { head, tail } = splitName(name) ?? { head: name, tail: '' };
  return longest(measure, head, `…${tail}`, roomPx) || longest(measure, name, '…', roomPx);
}

function longest(measure: (text: string) => number, text: string, end: string, roomPx: number): string {
  const cut = (length: number): string => `${text.slice(0, length).trimEnd().toWellFormed()}${end}`;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(cut(middle)) <= roomPx) low = middle;
    else high = middle - 1;
  }
  return low < minShown ? '' : cut(low);
}

export interface MapStyle {
  readonly colours: readonly string[];
  /** Returns the name of a node. */
  readonly nameOf: (at: number) => string;
  readonly amountOf: (at: number) => string;
  readonly background: string;
  readonly font: string;
}

const minForName = { widthPx: 44, heightPx: 18 };
const insetPx = 6;
const linePx = 15;

/** Draws a map onto a canvas at the screen's resolution. */
export function drawMap(
  context: CanvasRenderingContext2D,
  laid: LaidMap,
  look: MapStyle,
  pixelRatio: number,
): void {
  const { nodes, rects, parents, widthPx, heightPx } = laid;
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  context.fillStyle = look.background;
  context.fillRect(0, 0, widthPx, heightPx);
  context.textBaseline = 'top';
  const isOpen = new Uint8Array(nodes.length);
  for (const parent of parents) if (parent >= 0) isOpen[parent] = 1;
  for (let at = 1; at < nodes.length; at += 1) {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = rects.subarray(at * 4, at * 4 + 4);
    const wide = x1 - x0;
    const high = y1 - y0;
    if (wide <= 0 || high <= 0) continue;
    context.fillStyle = look.colours[at] ?? '#64748b';
    context.fillRect(x0, y0, wide, high);
    if (isOpen[at] === 1) {
      // A folder is darker than its contents.
      context.fillStyle = 'rgba(0, 0, 0, 0.28)';
      context.fillRect(x0, y0, wide, high);
      if (hasHead({ x0, y0, x1, y1 })) writeHead(context, look, at, x0, y0, wide);
    } else if (wide >= minForName.widthPx && high >= minForName.heightPx)
      writeLeaf(context, look, at, { x0, y0, wide, high });
  }
}

function writeHead(
  context: CanvasRenderingContext2D,
  look: MapStyle,
  at: number,
  x0: number,
  y0: number,
  wide: number,
): void {
  context.fillStyle = '#ffffff';
  context.font = `600 12px ${look.font}`;
  const name = fittingName(measureOf(context), look.nameOf(at), wide - 2 * insetPx);
  context.fillText(name, x0 + insetPx, y0 + (headPx - 12) / 2);
  const used = context.measureText(name).width + 2 * insetPx;
  context.font = `400 12px ${look.font}`;
  const amount = look.amountOf(at);
  const amountPx = context.measureText(amount).width;
  if (used + amountPx + insetPx > wide) return;
  context.fillText(amount, x0 + wide - amountPx - insetPx, y0 + (headPx - 12) / 2);
}

function writeLeaf(
  context: CanvasRenderingContext2D,
  look: MapStyle,
  at: number,
  { x0, y0, wide, high }: { x0: number; y0: number; wide: number; high: number },
): void {
  const roomPx = wide - 2 * insetPx;
  context.fillStyle = '#ffffff';
  context.font = `600 12px ${look.font}`;
  const top = y0 + Math.min(insetPx, (high - 12) / 2);
  context.fillText(fittingName(measureOf(context), look.nameOf(at), roomPx), x0 + insetPx, top);
  if (high < 2 * insetPx + 2 * linePx) return;
  context.font = `400 12px ${look.font}`;
  const amount = look.amountOf(at);
  if (context.measureText(amount).width <= roomPx) context.fillText(amount, x0 + insetPx, top + linePx);
}

function measureOf(context: CanvasRenderingContext2D): (text: string) => number {
  return (text) => context.measureText(text).width;
}
