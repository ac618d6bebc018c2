import { useEffect, useRef, useState } from 'react';
import type { MapMeasure, MapNode } from '../../../shared/models/maps.ts';
import { valuesOf, type Rects } from './layout.ts';
import type { LayoutAnswer, LayoutQuestion } from './treemap-worker.ts';

export interface LaidMap {
  readonly nodes: readonly MapNode[];
  readonly parents: Int32Array;
  readonly rects: Rects;
  readonly widthPx: number;
  readonly heightPx: number;
}

interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The nodes with their rectangles, from a worker; the last ones stay until the next ones are there. */
export function useLayout(nodes: readonly MapNode[], measure: MapMeasure, size: Size): LaidMap | null {
  const [laid, setLaid] = useState<LaidMap | null>(null);
  const worker = useRef<Worker | null>(null);
  const asked = useRef(0);
  useEffect(
    () => () => {
      worker.current?.terminate();
      worker.current = null;
    },
    [],
  );
  const { widthPx, heightPx } = size;
  useEffect(() => {
    if (widthPx < 1 || heightPx < 1) return;
    worker.current ??= new Worker(new URL('./treemap-worker.ts', import.meta.url), { type: 'module' });
    asked.current += 1;
    const id = asked.current;
    const parents = Int32Array.from(nodes, ({ parent }) => parent);
    const question: LayoutQuestion = { id, parents, values: valuesOf(nodes, measure), widthPx, heightPx };
    worker.current.onmessage = ({ data }: MessageEvent<LayoutAnswer>) => {
      if (data.id === asked.current) setLaid({ nodes, parents, rects: data.rects, widthPx, heightPx });
    };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    worker.current.postMessage(question);
  }, [nodes, measure, widthPx, heightPx]);
  return laid;
}
