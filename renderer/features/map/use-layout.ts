import { useEffect, useRef, useState } from 'react';
import type { MapMeasure, MapNode } from '../../../shared/models/map.ts';
import { requestWorker, type RequestWorker } from '../../ui/asked-worker.ts';
import { valuesOf, type LayoutRequest, type Rects } from './treemap-layout.ts';

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

type LayoutWorker = RequestWorker<LayoutRequest, Rects>;

/** Returns the nodes with their rectangles, which a worker lays out. The previous layout stays until the next one is ready. */
export function useLayout(nodes: readonly MapNode[], measure: MapMeasure, size: Size): LaidMap | null {
  const [laid, setLaid] = useState<LaidMap | null>(null);
  const [failed, setFailed] = useState<unknown>(null);
  const worker = useRef<LayoutWorker | null>(null);
  const latestRequest = useRef(0);
  useEffect(
    () => () => {
      worker.current?.end();
      worker.current = null;
    },
    [],
  );
  const { widthPx, heightPx } = size;
  useEffect(() => {
    if (widthPx < 1 || heightPx < 1) return;
    const layoutWorker = (worker.current ??= startWorker());
    latestRequest.current += 1;
    const request = latestRequest.current;
    const parents = Int32Array.from(nodes, ({ parent }) => parent);
    const lay = async (): Promise<void> => {
      try {
        const rects = await layoutWorker.ask({
          parents,
          values: valuesOf(nodes, measure),
          widthPx,
          heightPx,
        });
        if (request === latestRequest.current) setLaid({ nodes, parents, rects, widthPx, heightPx });
      } catch (thrown) {
        // Ignores errors of a worker that was stopped because the user left the map.
        if (worker.current === layoutWorker) setFailed(thrown);
      }
    };
    void lay();
  }, [nodes, measure, widthPx, heightPx]);
  if (failed !== null) throw failed;
  return laid;
}

function startWorker(): LayoutWorker {
  return requestWorker(
    new Worker(new URL('./treemap-worker.ts', import.meta.url), { type: 'module' }),
    new AbortController().signal,
  );
}
