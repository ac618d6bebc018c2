import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { UploadFilter, UploadRef, UploadRow } from '../../../../shared/models/uploads.ts';
import type { Modifiers } from '../../../ui/table/selection.ts';
import { refId } from '../model/list-query.ts';
import { rowAt } from '../model/row-table.ts';
import { areThere, selectAll as selectRefs } from '../model/select-all.ts';
import {
  added,
  kept,
  lossOf,
  nothingSelected,
  only,
  refreshed,
  replacedBy,
  toggled,
  type Loss,
  type Selected,
  type Selection,
} from '../model/upload-selection.ts';
import type { Rows } from './use-rows.ts';

export function refOfRow(connectionId: string, row: UploadRow): UploadRef {
  return { connectionId, bucket: row.bucket, key: row.key, uploadId: row.uploadId };
}

export interface UploadSelection {
  readonly selection: Selection;
  readonly loss: Loss;
  readonly active: number;
  readonly activate: (index: number, how: Modifiers) => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
  readonly learn: (rows: readonly UploadRow[]) => void;
  readonly isSelected: (row: UploadRow) => boolean;
}

/** A selection in a list that is read by ranges. */
export function useUploadSelection(
  connectionId: string,
  scanId: string | null,
  /** The search has found all there is. */
  isWhole: boolean,
  filter: UploadFilter,
  rows: Rows,
  onError: (thrown: unknown) => void,
): UploadSelection {
  const [selection, setSelection] = useState<Selection>(nothingSelected);
  /** The core's totals of a selection: it knows rows that were never loaded. */
  const [bulk, setBulk] = useState<{ readonly selection: Selection; readonly loss: Loss } | null>(null);
  const [active, setActive] = useState(-1);
  const anchor = useRef(0);
  /** Answers that come after a later choice are dropped. */
  const turn = useRef(0);

  const selectedOf = useCallback(
    (row: UploadRow): Selected => ({
      ref: refOfRow(connectionId, row),
      storedBytes: row.parts?.storedBytes ?? null,
      stillWriting: row.verdict === 'still-being-written',
    }),
    [connectionId],
  );

  const activate = useCallback(
    (index: number, how: Modifiers) => {
      turn.current += 1;
      const mine = turn.current;
      setActive(index);
      if (how.range) {
        const from = Math.min(anchor.current, index);
        const to = Math.max(anchor.current, index);
        void (async () => {
          try {
            const range = (await rows.range(from, to)).map(selectedOf);
            if (mine === turn.current)
              setSelection((now) => (how.keep ? added(now, range) : replacedBy(range)));
          } catch (thrown) {
            onError(thrown);
          }
        })();
        return;
      }
      anchor.current = index;
      const row = rowAt(rows.table, index);
      if (row === null) return;
      setSelection((now) => (how.keep ? toggled(now, selectedOf(row)) : only(selectedOf(row))));
    },
    [rows, selectedOf, onError],
  );

  const selectAll = useCallback(() => {
    if (scanId === null) return;
    turn.current += 1;
    const mine = turn.current;
    void (async () => {
      try {
        const { refs, storedBytes, unread } = await selectRefs(scanId, filter);
        if (mine !== turn.current) return;
        const known = new Map<string, Selected>();
        for (const page of rows.table.pages.values())
          for (const row of page) known.set(refId(row), selectedOf(row));
        const all = replacedBy(
          refs.map((ref) => known.get(refId(ref)) ?? { ref, storedBytes: null, stillWriting: false }),
        );
        const { stillWriting } = lossOf(all.values());
        setSelection(all);
        setBulk({ selection: all, loss: { storedBytes, unread, stillWriting } });
      } catch (thrown) {
        onError(thrown);
      }
    })();
  }, [scanId, filter, rows.table, selectedOf, onError]);

  // Rows that a finished search no longer has lose their selection.
  const latest = useRef(selection);
  useEffect(() => {
    latest.current = selection;
  }, [selection]);
  const hasSelection = selection.size > 0;
  useEffect(() => {
    if (scanId === null || !isWhole || !hasSelection) return undefined;
    const aborter = new AbortController();
    void (async () => {
      try {
        const refs = [...latest.current.values()].map(({ ref }) => ref);
        const found = await areThere(scanId, refs, aborter.signal);
        const gone = new Set(refs.filter((_, at) => found[at] !== true).map((ref) => refId(ref)));
        if (gone.size > 0)
          setSelection((now) => kept(now, new Set([...now.keys()].filter((id) => !gone.has(id)))));
      } catch (thrown) {
        if (!aborter.signal.aborted) onError(thrown);
      }
    })();
    return () => aborter.abort();
  }, [scanId, isWhole, hasSelection, onError]);

  const clear = useCallback(() => {
    turn.current += 1;
    setSelection(nothingSelected);
  }, []);
  const learn = useCallback(
    (read: readonly UploadRow[]) => setSelection((now) => refreshed(now, read.map(selectedOf))),
    [selectedOf],
  );
  const isSelected = useCallback((row: UploadRow) => selection.has(refId(row)), [selection]);

  const loss = useMemo(
    () => (bulk?.selection === selection ? bulk.loss : lossOf(selection.values())),
    [bulk, selection],
  );

  return useMemo(
    () => ({ selection, loss, active, activate, selectAll, clear, learn, isSelected }),
    [selection, loss, active, activate, selectAll, clear, learn, isSelected],
  );
}
