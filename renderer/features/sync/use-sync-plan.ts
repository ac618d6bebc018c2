import { useCallback, useEffect, useRef, useState } from 'react';
import { failure, type AppError } from '../../../shared/errors.ts';
import type { SyncStatus } from '../../../shared/models/sync.ts';
import { rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import type { SyncWish } from './sync-setup.tsx';

export interface SyncPlace {
  readonly connectionId: string;
  readonly bucket: string;
  /** '' for the whole bucket, else it ends in `/`. */
  readonly prefix: string;
}

interface Made {
  readonly planId: string | null;
  readonly make: (wish: SyncWish) => Promise<void>;
  readonly forget: () => void;
}

/** Holds the plan of a dialog. Closes it in the core when another one replaces it, or when the dialog closes. */
export function useMadePlan(place: SyncPlace): Made {
  const [planId, setPlanId] = useState<string | null>(null);
  const held = useRef<string | null>(null);
  const drop = useCallback(() => {
    const gone = held.current;
    held.current = null;
    // Fails if the core has closed it already, which is fine.
    if (gone !== null) rpc.sync.close({ planId: gone }).catch(() => undefined);
  }, []);
  useEffect(() => drop, [drop]);
  const make = useCallback(
    async ({ folder, ...wish }: SyncWish) => {
      if (folder === null) throw failure('invalid-argument', 'No folder was chosen.');
      drop();
      const made = await rpc.sync.plan({ ...place, folderHandle: folder.handle, ...wish });
      held.current = made.planId;
      setPlanId(made.planId);
    },
    [place, drop],
  );
  const forget = useCallback(() => {
    drop();
    setPlanId(null);
  }, [drop]);
  return { planId, make, forget };
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
