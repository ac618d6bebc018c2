import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { hasDoneNothing } from '../../../shared/models/job-results.ts';
import type { Job } from '../../../shared/models/jobs.ts';
import { refreshTree } from '../../features/connections/index.ts';
import { useEditNotices } from '../../features/edits/index.ts';
import { onJobsEvent } from '../../features/transfers/index.ts';
import { refreshFolders, refreshLocalFolders, type FolderRow } from '../../features/objects/index.ts';
import type { OperationPlace } from '../../features/operations/index.ts';
import { refreshVersions } from '../../features/versions/index.ts';
import { rpc } from '../../rpc/client.ts';
import { isCancelled } from '../../rpc/errors.ts';

type Select = (place: OperationPlace, kind: FolderRow['kind'], key: string) => void;

/** Minimum interval between refreshes of a folder, however many jobs end. */
const pauseMs = 1000;
/** Maximum number of settled jobs handled per event, since each may need a request. Folders of further jobs are not reloaded. */
const maxRead = 50;

/** Returns the buckets in which a job may have changed objects. */
export function bucketsOf(job: Job): readonly { readonly connectionId: string; readonly bucket: string }[] {
  const changed = job.kind === 'download' ? [] : [{ connectionId: job.connectionId, bucket: job.bucket }];
  return job.target === undefined ? changed : [...changed, job.target];
}

/**
 * Lists folders again when a job that changed them has ended. Returns a function that registers the row that a job will create.
 * The row is selected when the job is done.
 */
export function useFolderChanges(
  onRow: Select,
): (jobId: string, place: OperationPlace, kind: FolderRow['kind'], key: string) => void {
  const queries = useQueryClient();
  const select = useRef(onRow);
  useEffect(() => {
    select.current = onRow;
  });
  const wanted = useRef(new Map<string, Parameters<Select>>());
  useEffect(() => {
    const buckets = new Map<string, { readonly connectionId: string; readonly bucket: string }>();
    let isDiskChanged = false;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const look = (): void => {
      timer = buckets.size === 0 && !isDiskChanged ? null : setTimeout(look, pauseMs);
      if (isDiskChanged) refreshLocalFolders(queries);
      isDiskChanged = false;
      for (const bucket of buckets.values()) {
        refreshFolders(queries, bucket);
        refreshVersions(queries, bucket);
        refreshTree(queries, bucket);
      }
      buckets.clear();
    };
    const settled = async (jobId: string, known: Job | undefined): Promise<void> => {
      try {
        const job = known ?? (await rpc.jobs.get({ jobId }));
        for (const place of bucketsOf(job))
          buckets.set(JSON.stringify([place.connectionId, place.bucket]), place);
        isDiskChanged ||= job.kind === 'download';
        if (timer === null) look();
        const row = wanted.current.get(jobId);
        if (row === undefined || job.state !== 'done') return;
        wanted.current.delete(jobId);
        // A skipped item creates no row, and the row with its name is a different object.
        if (!hasDoneNothing(job)) select.current(...row);
      } catch (thrown) {
        // The job was removed from the list in the meantime. The user can reload its folder.
        if (!isCancelled(thrown)) wanted.current.delete(jobId);
      }
    };
    const forget = onJobsEvent((event) => {
      const changed = new Map(event.changed.map((job) => [job.id, job]));
      for (const jobId of event.settled.slice(0, maxRead)) void settled(jobId, changed.get(jobId));
    });
    return () => {
      forget();
      if (timer !== null) clearTimeout(timer);
    };
  }, [queries]);
  return (jobId, place, kind, key) => {
    wanted.current.set(jobId, [place, kind, key]);
  };
}

/** Lists folders again after an edited object was saved in them. */
export function useSentEdits(): void {
  const queries = useQueryClient();
  useEditNotices(({ connectionId, bucket }) => {
    refreshFolders(queries, { connectionId, bucket });
    refreshVersions(queries, { connectionId, bucket });
  });
}
