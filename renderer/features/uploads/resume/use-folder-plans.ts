import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import type { FileMatch, UploadPlan } from '../../../../shared/models/uploads.ts';
import { rpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { isReady } from './ready-plan.ts';
import { refId } from '../model/list-query.ts';
import { planOf } from './use-resume-plan.ts';

export type FilePlan =
  | { readonly kind: 'comparing'; readonly percent: number }
  | { readonly kind: 'planned'; readonly plan: UploadPlan }
  | { readonly kind: 'failed'; readonly error: AppError }
  | { readonly kind: 'started'; readonly jobId: string };

export type FilePlans = ReadonlyMap<string, FilePlan>;

export interface FolderPlans {
  readonly plans: FilePlans;
  readonly busy: 'comparing' | 'starting' | null;
  readonly compare: (matches: readonly FileMatch[]) => void;
  /** Starts what was planned; resolves to how many did, and how many did not. */
  readonly startAll: () => Promise<{ readonly started: number; readonly failed: number }>;
  readonly stop: () => void;
}

/** Compares the files of a folder with their uploads, one after another: hashing uses the whole machine for one already. */
export function useFolderPlans(): FolderPlans {
  const [plans, setPlans] = useState<FilePlans>(new Map());
  const [busy, setBusy] = useState<FolderPlans['busy']>(null);
  const aborter = useRef<AbortController | null>(null);
  useEffect(() => () => aborter.current?.abort(), []);
  const set = useCallback((id: string, plan: FilePlan) => setPlans((now) => new Map(now).set(id, plan)), []);

  const compare = useCallback(
    (matches: readonly FileMatch[]) => {
      aborter.current?.abort();
      const mine = new AbortController();
      aborter.current = mine;
      setPlans(new Map());
      setBusy('comparing');
      void (async () => {
        for (const match of matches) {
          if (mine.signal.aborted) return;
          if (match.handle !== null && match.problem === null)
            await compareOne(match, match.handle, mine.signal, (plan) => {
              if (!mine.signal.aborted) set(refId(match.ref), plan);
            });
        }
        if (!mine.signal.aborted) setBusy(null);
      })();
    },
    [set],
  );

  const startAll = useCallback(async () => {
    setBusy('starting');
    let started = 0;
    let failed = 0;
    for (const [id, state] of plans) {
      if (state.kind !== 'planned' || !isReady(state.plan)) continue;
      try {
        const options = { parallelParts: null, bandwidthBytesPerSecond: null, acceptUnverified: false };
        const { jobId } = await rpc.uploads.resume({ planId: state.plan.planId, options });
        started += 1;
        set(id, { kind: 'started', jobId });
      } catch (thrown) {
        failed += 1;
        set(id, { kind: 'failed', error: appErrorOf(thrown) });
      }
    }
    setBusy(null);
    return { started, failed };
  }, [plans, set]);

  const stop = useCallback(() => {
    aborter.current?.abort();
    setBusy(null);
    setPlans((now) => new Map([...now].filter(([, plan]) => plan.kind !== 'comparing')));
  }, []);
  return { plans, busy, compare, startAll, stop };
}

async function compareOne(
  match: FileMatch,
  handle: string,
  signal: AbortSignal,
  report: (plan: FilePlan) => void,
): Promise<void> {
  const file = {
    handle,
    name: match.fileName ?? '',
    kind: 'file',
    sizeBytes: match.sizeBytes,
    modifiedAt: null,
  } as const;
  report({ kind: 'comparing', percent: 0 });
  try {
    const plan = await planOf(match.ref, file, false, signal, ({ bytesHashed, bytesToHash }) =>
      report({
        kind: 'comparing',
        percent: bytesToHash === 0 ? 0 : Math.floor((bytesHashed / bytesToHash) * 100),
      }),
    );
    report({ kind: 'planned', plan });
  } catch (thrown) {
    report({ kind: 'failed', error: appErrorOf(thrown) });
  }
}
