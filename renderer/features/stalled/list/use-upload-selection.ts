import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { UploadFilter, UploadRef, UploadRow } from '../../../../shared/models/stalled.ts';
import { KeyedSelection, keyedSource, refreshed, removeRows } from '../../../ui/table/keyed-selection.ts';
import type { Modifiers } from '../../../ui/table/selection.ts';
import { refId } from '../model/list-query.ts';
import { areInScan, selectAll as selectRefs } from '../model/many-uploads.ts';
import {
  lossOf,
  selectedRow,
  type Loss,
  type Selected,
  type SelectedUploads,
} from '../model/upload-selection.ts';
import type { Rows } from './use-rows.ts';

export function refOfRow(connectionId: string, row: UploadRow): UploadRef {
  return { connectionId, bucket: row.bucket, key: row.key, uploadId: row.uploadId };
}

/** The selection in the list of uploads, which may include rows that were never loaded. */
export function useUploadSelection(
  connectionId: string,
  scanId: string | null,
  /** True once the search has finished. */
  isScanDone: boolean,
  filter: UploadFilter,
  rows: Rows,
  onError: (thrown: unknown) => void,
) {
  const [list] = useState(() => new KeyedSelection<Selected>());
  const { selected: selection, active } = useStore(list.store);
  /** The totals of a selection as counted by the core, which also knows rows that were never loaded here. */
  const [bulk, setBulk] = useState<{ readonly selection: SelectedUploads; readonly loss: Loss } | null>(null);
  /** The last selection made by "select all", and its scan. This selection need not be checked against the same scan. */
  const lastSelectAll = useRef<{ readonly selection: SelectedUploads; readonly scanId: string } | null>(null);

  const keyed = useCallback(
    (row: UploadRow) =>
      selectedRow({
        ref: refOfRow(connectionId, row),
        storedBytes: row.parts?.storedBytes ?? null,
        stillWriting: row.verdict === 'still-being-written',
      }),
    [connectionId],
  );
  const { rowAt, range, cachedRows } = rows;
  const source = useMemo(() => keyedSource({ rowAt, range }, keyed, onError), [rowAt, range, keyed, onError]);
  const activate = useCallback(
    (index: number, how: Modifiers) => list.activate(index, how, source),
    [list, source],
  );

  const selectAll = useCallback(() => {
    if (scanId === null) return;
    list.chooseAfter(async (signal) => {
      const known = new Map(cachedRows().map(keyed));
      const all = new Map<string, Selected>();
      let stillWriting = 0;
      const { storedBytes, unread } = await selectRefs(scanId, filter, signal, (refs) => {
        for (const ref of refs) {
          const id = refId(ref);
          const selected = known.get(id) ?? { ref, storedBytes: null, stillWriting: false };
          all.set(id, selected);
          if (selected.stillWriting) stillWriting += 1;
        }
      });
      if (!signal.aborted) {
        lastSelectAll.current = { selection: all, scanId };
        setBulk({ selection: all, loss: { storedBytes, unread, stillWriting } });
      }
      return () => all;
    }, onError);
  }, [list, scanId, filter, cachedRows, keyed, onError]);

  // When a search has finished, deselects uploads that it did not find.
  const latest = useRef(selection);
  useEffect(() => {
    latest.current = selection;
  }, [selection]);
  const hasSelection = selection.size > 0;
  useEffect(() => {
    if (scanId === null || !isScanDone || !hasSelection) return undefined;
    const read = lastSelectAll.current;
    if (read?.scanId === scanId && read.selection === latest.current) return undefined;
    const aborter = new AbortController();
    void (async () => {
      try {
        const refs = [...latest.current.values()].map(({ ref }) => ref);
        const found = await areInScan(scanId, refs, aborter.signal);
        const gone = refs.filter((_, at) => found[at] !== true).map((ref) => refId(ref));
        list.learn(removeRows(new Set(gone)));
      } catch (thrown) {
        if (!aborter.signal.aborted) onError(thrown);
      }
    })();
    return () => aborter.abort();
  }, [list, scanId, isScanDone, hasSelection, onError]);

  const clear = useCallback(() => list.choose(() => new Map()), [list]);
  const learn = useCallback(
    (read: readonly UploadRow[]) => list.learn(refreshed(read.map(keyed))),
    [list, keyed],
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
