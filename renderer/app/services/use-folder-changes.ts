import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { hasDoneNothing } from '../../../shared/models/job-results.ts';
import type { Job, SettledJob } from '../../../shared/models/jobs.ts';
import { refreshTree } from '../../features/connections/index.ts';
import { useEditNotices } from '../../features/edits/index.ts';
import { onJobsEvent } from '../../features/transfers/index.ts';
import { refreshFolders, refreshLocalFolders, type FolderRow } from '../../features/objects/index.ts';
import type { OperationPlace } from '../../features/operations/index.ts';
import { noteBucketChange } from '../../features/search/index.ts';
import { refreshVersions } from '../../features/versions/index.ts';
import { rpc } from '../../rpc/client.ts';
import { isCancelled } from '../../rpc/errors.ts';
import { useStable } from '../../ui/use-stable.ts';
import { placesChangedBy } from './changed-places.ts';

type Select = (place: OperationPlace, kind: FolderRow['kind'], key: string) => void;

/** Minimum interval between refreshes of a folder, however many jobs end. */
const pauseMs = 1000;
/**
 * Lists folders again when a job that changed them has ended. Returns a function that registers the row that a job will create.
 * The row is selected when the job is done.
 */
export function useFolderChanges(
  onRow: Select,
): (jobId: string, place: OperationPlace, kind: FolderRow['kind'], key: string) => void {
  const queries = useQueryClient();
  const { select } = useStable({ select: onRow });
  const rowsToSelect = useRef(new Map<string, Parameters<Select>>());
  useEffect(() => {
    let settled: SettledJob[] = [];
    let timer: ReturnType<typeof setTimeout> | null = null;
    const refresh = (): void => {
      timer = settled.length === 0 ? null : setTimeout(refresh, pauseMs);
      const { buckets, isDisk } = placesChangedBy(settled);
      settled = [];
      if (isDisk) refreshLocalFolders(queries);
      for (const bucket of buckets) {
        refreshFolders(queries, bucket);
        refreshVersions(queries, bucket);
        refreshTree(queries, bucket);
        noteBucketChange(bucket);
      }
    };
    const selectRow = async ({ id: jobId }: SettledJob, changed: readonly Job[]): Promise<void> => {
      const row = rowsToSelect.current.get(jobId);
      if (row === undefined) return;
      try {
        const job = changed.find(({ id }) => id === jobId) ?? (await rpc.jobs.get({ jobId }));
        if (job.state !== 'done') return;
        rowsToSelect.current.delete(jobId);
        // A skipped item creates no row, and the row with its name is a different object.
        if (!hasDoneNothing(job)) select(...row);
      } catch (thrown) {
        // The job was removed from the list in the meantime.
        if (!isCancelled(thrown)) rowsToSelect.current.delete(jobId);
      }
    };
    const forget = onJobsEvent((event) => {
      settled = [...settled, ...event.settled];
      if (timer === null && settled.length > 0) refresh();
      for (const job of event.settled) void selectRow(job, event.changed);
    });
    return () => {
      forget();
      if (timer !== null) clearTimeout(timer);
    };
  }, [queries, select]);
  return (jobId, place, kind, key) => rowsToSelect.current.set(jobId, [place, kind, key]);
}

/** Lists folders again after an edited object was saved in them. */
export function useSentEdits(): void {
  const queries = useQueryClient();
  useEditNotices(({ connectionId, bucket }) => {
    refreshFolders(queries, { connectionId, bucket });
    refreshVersions(queries, { connectionId, bucket });
    noteBucketChange({ connectionId, bucket });
  });
}
