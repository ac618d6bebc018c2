import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import type { Job } from '../../../../shared/models/jobs.ts';
import type { Place } from '../../../../shared/models/objects.ts';
import type { WalkStatus } from '../../../../shared/models/walks.ts';
import { showNotice } from '../../../ui/notices/notices.tsx';
import { rpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { closeBucketDialog } from './bucket-dialog-store.ts';

export interface RemovalOptions {
  /**
   * The objects to delete first: `nothing`, the current objects (which adds delete markers if versions are kept), or all
   * versions.
   */
  readonly empty: 'nothing' | 'markers' | 'all-versions';
  readonly abortUploads: boolean;
}

export interface Removal {
  readonly step: 'asking' | 'aborting' | 'emptying' | 'removing' | 'stopped' | 'failed';
  /** The id of the deletion job, or null before it starts. */
  readonly jobId: string | null;
  readonly job: Job | null;
  readonly error: AppError | null;
  readonly refusedUploads: number;
  readonly start: (options: RemovalOptions) => void;
  readonly reset: () => void;
}

type State = Pick<Removal, 'step' | 'jobId' | 'job' | 'error' | 'refusedUploads'>;

const asking: State = { step: 'asking', jobId: null, job: null, error: null, refusedUploads: 0 };
const pollEveryMs = 500;

/**
 * Removes a bucket in two steps. Aborts its uploads, then starts one job that deletes the content and the bucket. A started
 * removal continues after the dialog closes.
 */
export function useRemoval(place: Place, onRemoved?: () => void): Removal {
  const [state, setState] = useState<State>(asking);
  const isUnmounted = useRef(false);
  useEffect(() => {
    isUnmounted.current = false;
    return () => {
      isUnmounted.current = true;
    };
  }, []);

  const run = useCallback(
    async (options: RemovalOptions): Promise<void> => {
      const put = (change: Partial<State>): void => setState((now) => ({ ...now, ...change }));
      if (options.abortUploads) {
        put({ step: 'aborting' });
        const refused = await abortAll(place);
        if (refused > 0) {
          put({ step: 'stopped', refusedUploads: refused });
          return;
        }
      }
      if (options.empty !== 'nothing') {
        put({ step: 'emptying' });
        const { jobId } = await rpc.operations.delete({
          ...place,
          items: [{ kind: 'prefix', prefix: '' }],
          versions: options.empty,
          withBucket: true,
        });
        put({ jobId });
        const job = await waitUntilSettled(
          jobId,
          () => isUnmounted.current,
          (now) => put({ job: now }),
        );
        if (isUnmounted.current) return;
        if (job.state !== 'done') {
          const isNotEmpty = job.error?.reason === 'bucket-not-empty';
          put(isNotEmpty ? { step: 'failed', error: job.error } : { step: 'stopped' });
          return;
        }
      } else {
        put({ step: 'removing' });
        await rpc.bucketSettings.remove(place);
      }
      showNotice({ message: (say) => say('buckets.remove.done', { name: place.bucket }) });
      if (!isUnmounted.current) closeBucketDialog();
      onRemoved?.();
    },
    [place, onRemoved],
  );

  return {
    ...state,
    start: (request) => {
      run(request).catch((thrown: unknown) => {
        setState((now) => ({ ...now, step: 'failed', error: appErrorOf(thrown) }));
      });
    },
    reset: () => setState(asking),
  };
}

/** Aborts the bucket's uploads. Returns the number of uploads that could not be aborted. */
async function abortAll(place: Place): Promise<number> {
  const { uploads } = await rpc.bucketSettings.uploads(place);
  if (uploads.length === 0) return 0;
  const refs = uploads.map((upload) => ({ ...place, ...upload }));
  const { jobIds, refused } = await rpc.stalled.abort({ refs });
  let failedCount = refused.length;
  for (const jobId of jobIds) {
    const job = await waitUntilSettled(jobId);
    const { items } = job;
    if (items !== undefined) failedCount += items.total - items.done - items.skipped;
    else if (job.state !== 'done') failedCount += 1;
  }
  return failedCount;
}

const restingStates: ReadonlySet<Job['state']> = new Set(['done', 'cancelled', 'needs-attention', 'paused']);

async function waitUntilSettled(
  jobId: string,
  isUnmounted: () => boolean = () => false,
  onJob: (job: Job) => void = () => undefined,
): Promise<Job> {
  for (;;) {
    const job = await rpc.jobs.get({ jobId });
    onJob(job);
    if (restingStates.has(job.state) || isUnmounted()) return job;
    await new Promise((resolve) => {
      setTimeout(resolve, pollEveryMs);
    });
  }
}

interface BucketSize {
  /** Null until the walk has reported. */
  readonly status: WalkStatus | null;
  readonly hasFailed: boolean;
  readonly stop: () => void;
}

/** Computes the size of a bucket by listing all its objects. Stops when the component unmounts. */
export function useBucketSize({ connectionId, bucket }: Place): BucketSize {
  const [status, setStatus] = useState<WalkStatus | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const walk = useRef<string | null>(null);
  useEffect(() => {
    const aborter = new AbortController();
    const follow = async (): Promise<void> => {
      const { walkId } = await rpc.walks.start({ connectionId, bucket, prefix: '', query: null });
      walk.current = walkId;
      try {
        for await (const next of await rpc.walks.watch({ walkId }, { signal: aborter.signal })) {
          setStatus(next);
          if (next.state === 'failed') setFailed(true);
        }
      } finally {
        await rpc.walks.close({ walkId });
      }
    };
    follow().catch(() => {
      // Ignores the error after the dialog was closed. Otherwise only shows it, since the bucket can be deleted without a size.
      if (!aborter.signal.aborted) setFailed(true);
    });
    return () => aborter.abort();
  }, [connectionId, bucket]);
  const stop = (): void => {
    const walkId = walk.current;
    if (walkId !== null) rpc.walks.stop({ walkId }).catch(() => setFailed(true));
  };
  return { status, hasFailed, stop };
}
