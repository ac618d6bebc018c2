import { useCallback, useEffect, useRef } from 'react';
import type { UploadRow } from '../../../../shared/models/stalled.ts';
import { rpc } from '../../../rpc/client.ts';

/** Milliseconds without scrolling after which the parts of visible rows are read. */
const restMs = 150;
/** Maximum number of rows per request: enough for any screen, within the limit of the core's API. */
const maxRows = 200;

/**
 * Reads the parts of visible rows once scrolling has stopped. Returns a handler to call when the visible range changes. The
 * handler causes no render.
 */
export function useInspect(
  scanId: string | null,
  rowAt: (index: number) => UploadRow | null,
  learn: (rows: readonly UploadRow[]) => void,
): (first: number, last: number) => void {
  const visibleRange = useRef({ first: 0, last: 40 });
  const requestedRows = useRef({ scanId, ids: new Set<number>() });
  const inspectVisible = useCallback(() => {
    if (scanId === null) return;
    if (requestedRows.current.scanId !== scanId) requestedRows.current = { scanId, ids: new Set() };
    const { ids } = requestedRows.current;
    const rowIds: number[] = [];
    for (
      let { first: index } = visibleRange.current;
      index <= visibleRange.current.last && rowIds.length < maxRows;
      index += 1
    ) {
      const row = rowAt(index);
      if (row !== null && row.verdict === 'unread' && !ids.has(row.id)) rowIds.push(row.id);
    }
    if (rowIds.length === 0) return;
    for (const id of rowIds) ids.add(id);
    void (async () => {
      try {
        learn(await rpc.stalled.inspect({ scanId, rowIds }));
      } catch {
        // Forgets failed rows, so that they are requested again when they are next visible.
        for (const id of rowIds) ids.delete(id);
      }
    })();
  }, [scanId, rowAt, learn]);

  const latest = useRef(inspectVisible);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const inspectLater = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current(), restMs);
  }, []);
  useEffect(() => {
    latest.current = inspectVisible;
    inspectLater();
    return () => clearTimeout(timer.current);
  }, [inspectVisible, inspectLater]);
  return useCallback(
    (first: number, last: number) => {
      visibleRange.current = { first, last };
      inspectLater();
    },
    [inspectLater],
  );
}
