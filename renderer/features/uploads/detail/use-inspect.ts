import { useEffect, useRef } from 'react';
import type { UploadRow } from '../../../../shared/models/uploads.ts';
import { rpc } from '../../../rpc/client.ts';

/** How long the list must rest before the parts of its rows are read. */
const restMs = 150;
/** Enough for any screen, and what the contract allows. */
const mostRows = 200;

interface Sight {
  readonly first: number;
  readonly last: number;
}

/** Reads the parts of the rows in sight, once scrolling has come to rest. */
export function useInspect(
  scanId: string | null,
  rowAt: (index: number) => UploadRow | null,
  sight: Sight,
  learn: (rows: readonly UploadRow[]) => void,
): void {
  const asked = useRef({ scanId, ids: new Set<number>() });
  useEffect(() => {
    if (scanId === null) return undefined;
    if (asked.current.scanId !== scanId) asked.current = { scanId, ids: new Set() };
    const { ids } = asked.current;
    const rowIds: number[] = [];
    for (let index = sight.first; index <= sight.last && rowIds.length < mostRows; index += 1) {
      const row = rowAt(index);
      if (row !== null && row.verdict === 'unread' && !ids.has(row.id)) rowIds.push(row.id);
    }
    if (rowIds.length === 0) return undefined;
    const timer = setTimeout(() => {
      for (const id of rowIds) ids.add(id);
      void (async () => {
        try {
          learn(await rpc.uploads.inspect({ scanId, rowIds }));
        } catch {
          // The rows stay "not read"; they are asked for again when they come into sight the next time.
          for (const id of rowIds) ids.delete(id);
        }
      })();
    }, restMs);
    return () => clearTimeout(timer);
  }, [scanId, rowAt, sight.first, sight.last, learn]);
}
