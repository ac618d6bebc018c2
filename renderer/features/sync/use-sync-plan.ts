import { useCallback, useEffect, useState } from 'react';
import { failure, type AppError } from '../../../shared/errors.ts';
import type { Place } from '../../../shared/models/objects.ts';
import type { SyncDirection, SyncStatus } from '../../../shared/models/sync.ts';
import { rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { useLatestOpening } from '../../ui/latest-opening.ts';
import type { SyncOptions } from './sync-setup.tsx';

interface SyncPlace extends Place {
  /** The prefix: '' for the whole bucket, otherwise with a trailing `/`. */
  readonly prefix: string;
}

/** The bucket folder and the direction with which the dialog of a sync opens. */
export interface SyncRequest {
  readonly place: SyncPlace;
  readonly direction: SyncDirection;
}

interface SyncPlanState {
  readonly planId: string | null;
  readonly make: (options: SyncOptions) => Promise<void>;
  readonly forget: () => void;
}

/** Creates the plan in a dialog. Closes the plan in the core when another plan replaces it, or when the dialog closes. */
export function useSyncPlan(place: SyncPlace): SyncPlanState {
  const [planId, setPlanId] = useState<string | null>(null);
  const opening = useLatestOpening(closePlan);
  useEffect(() => (planId === null ? undefined : () => closePlan(planId)), [planId]);
  const make = useCallback(
    async ({ folder, ...options }: SyncOptions) => {
      if (folder === null) throw failure('invalid-argument', 'No folder was chosen.');
      const request = { ...place, folderHandle: folder.handle, ...options };
      const opened = await opening.open(async () => (await rpc.sync.plan(request)).planId);
      if (opened !== null) setPlanId(opened);
    },
    [place, opening],
  );
  const forget = useCallback(() => {
    opening.drop();
    setPlanId(null);
  }, [opening]);
  return { planId, make, forget };
}

function closePlan(planId: string): void {
  // The call fails if the core has already closed the plan, which needs no handling.
  rpc.sync.close({ planId }).catch(() => undefined);
}

interface Watched {
  readonly status: SyncStatus | null;
  readonly error: AppError | null;
}

/** Follows the status of a plan in the core until it is complete. */
export function usePlanStatus(planId: string): Watched {
  const [watched, setWatched] = useState<Watched>({ status: null, error: null });
  useEffect(() => {
    const aborter = new AbortController();
    void follow(planId, aborter.signal, (next) => {
      if (!aborter.signal.aborted) setWatched(next);
    });
    return () => aborter.abort();
  }, [planId]);
  return watched;
}

async function follow(planId: string, signal: AbortSignal, report: (next: Watched) => void): Promise<void> {
  let latest: SyncStatus | null = null;
  try {
    for await (const status of await rpc.sync.watch({ planId }, { signal })) {
      latest = status;
      report({ status, error: status.error });
    }
  } catch (thrown) {
    report({ status: latest, error: appErrorOf(thrown) });
  }
}
