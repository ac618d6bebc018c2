import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import type { MapMeasure, MapNode } from '../../../shared/models/map.ts';

export interface LayoutRequest {
  /** The index of each node's parent, or -1 for the root. Parents precede their children. */
  readonly parents: Int32Array;
  readonly values: Float64Array;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Left, top, right and bottom of each node. All are 0 if the node does not fit. */
export type Rects = Float32Array<ArrayBuffer>;

/** Height of the heading with a folder's name. The heading is shown above the folder's contents if it fits. */
export const headPx = 20;
const minForHead = { widthPx: 56, heightPx: 44 };
const gapPx = 1;

export function valuesOf(nodes: readonly MapNode[], measure: MapMeasure): Float64Array {
  return Float64Array.from(nodes, (node) => (measure === 'size' ? node.sizeBytes : node.objects));
}

interface Datum {
  readonly at: number;
  readonly children: Datum[];
}

/** Returns a squarified layout. Areas are proportional to values, within the space below the folders' headings. */
export function layOut({ parents, values, widthPx, heightPx }: LayoutRequest): Rects {
  const rects = new Float32Array(parents.length * 4);
  const data: Datum[] = Array.from(parents, (_, at) => ({ at, children: [] }));
  for (const datum of data) data[parents[datum.at] ?? -1]?.children.push(datum);
  const [root] = data;
  if (root === undefined || widthPx <= 0 || heightPx <= 0) return rects;
  const valueOf = ({ at, children }: Datum): number => (children.length === 0 ? (values[at] ?? 0) : 0);
  const top = hierarchy(root, ({ children }) => (children.length === 0 ? null : children))
    .sum(valueOf)
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array but a hierarchy of d3
    .sort((left, right) => (right.value ?? 0) - (left.value ?? 0));
  const laid = treemap<Datum>()
    .tile(treemapSquarify.ratio(1.3))
    .size([widthPx, heightPx])
    .round(true)
    .paddingInner(gapPx)
    .paddingOuter((node) => (node.depth === 0 ? 0 : 2))
    .paddingTop((node) => (node.depth === 0 ? 0 : hasHead(node) ? headPx : 2))(top);
  laid.each((node) => {
    const { x0, y0, x1, y1 } = node;
    if (x1 > x0 && y1 > y0) rects.set([x0, y0, x1, y1], node.data.at * 4);
  });
  return rects;
}

export function hasHead({ x0, y0, x1, y1 }: { x0: number; y0: number; x1: number; y1: number }): boolean {
  return x1 - x0 >= minForHead.widthPx && y1 - y0 >= minForHead.heightPx;
}

/** Returns the innermost node at a point, or -1. Nodes come after the nodes that contain them. */
export function nodeAt(rects: Rects, parents: Int32Array, x: number, y: number): number {
  let found = -1;
  for (let at = 0; at < parents.length; at += 1) {
    if ((parents[at] ?? -1) !== found && at > 0) continue;
    const [left = 0, top = 0, right = 0, bottom = 0] = rects.subarray(at * 4, at * 4 + 4);
    if (x >= left && x < right && y >= top && y < bottom) found = at;
  }
  return found;
}
