import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { UploadFilter, UploadRow, UploadRows, UploadSort } from '../../../../shared/models/stalled.ts';
import { rpc } from '../../../rpc/client.ts';
import type { ReadRange } from '../../../ui/table/range-rows.ts';
import { useRangeRows } from '../../../ui/table/use-range-rows.ts';

/** The core's totals for all rows, including rows that are not loaded here. */
export type UploadFacts = Pick<UploadRows, 'unread' | 'found' | 'totals'>;

export type Rows = ReturnType<typeof useRows>;

const noFacts: UploadFacts = { unread: 0, found: 0, totals: { storedBytes: 0, unread: 0, oldestAt: null } };

/** Reads the rows of a scan in ranges. A new `version` means that rows may have been added or changed. */
export function useRows(scanId: string | null, sort: UploadSort, filter: UploadFilter, version: string) {
  const [facts, setFacts] = useState(noFacts);
  /** The reader for the current scan, order and filter. Replies to an earlier reader are dropped. */
  const current = useRef<ReadRange<UploadRow> | null>(null);
  const read = useMemo(() => {
    const self: ReadRange<UploadRow> = async (range, signal) => {
      if (scanId === null) return { rows: [], total: 0 };
      const { rows, total, ...rest } = await rpc.stalled.rows({ scanId, ...range, sort, filter }, { signal });
      if (current.current === self) setFacts(rest);
      return { rows, total };
    };
    return self;
  }, [scanId, sort, filter]);
  useEffect(() => {
    current.current = read;
  }, [read]);
  const rows = useRangeRows(read, version, false);
  const { revise } = rows;

  /** Updates rows with newly read facts, without changing the visible order. */
  const learn = useCallback(
    (learnt: readonly UploadRow[]) => {
      const byId = new Map(learnt.map((row) => [row.id, row]));
      let unread = 0;
      let storedBytes = 0;
      revise((row) => {
        const next = byId.get(row.id) ?? row;
        if (row.verdict === 'unread' && next.verdict !== 'unread') {
          unread += 1;
          storedBytes += next.parts?.storedBytes ?? 0;
        }
        return next;
      });
      setFacts((now) => withRead(now, unread, storedBytes));
    },
    [revise],
  );
  return { ...rows, facts, learn };
}

function withRead(
  { found, unread, totals }: UploadFacts,
  newlyRead: number,
  storedBytes: number,
): UploadFacts {
  const stillUnread = (before: number): number => Math.max(0, before - newlyRead);
  return {
    found,
    unread: stillUnread(unread),
    totals: { ...totals, unread: stillUnread(totals.unread), storedBytes: totals.storedBytes + storedBytes },
  };
}
