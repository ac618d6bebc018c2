import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import type { FileMatch, UploadPlan } from '../../../../shared/models/resume-plan.ts';
import { rpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { isReady } from './resume-plan-words.ts';
import { refId } from '../model/list-query.ts';
import { planOf } from './use-resume-plan.ts';

export type FilePlan =
  | { readonly kind: 'comparing'; readonly percent: number }
  | { readonly kind: 'planned'; readonly plan: UploadPlan }
  | { readonly kind: 'failed'; readonly error: AppError }
  | { readonly kind: 'started'; readonly jobId: string };

/** The options for a single upload: the defaults, with unverifiable parts sent again. */
const singleUploadOptions = { parallelParts: null, bandwidthBytesPerSecond: null, acceptUnverified: false };

export type FilePlans = ReadonlyMap<string, FilePlan>;

export type FolderPlans = ReturnType<typeof useFolderPlans>;

/** Compares files in a folder with their uploads, one at a time, since hashing one file already uses all processors. */
export function useFolderPlans() {
  const [plans, setPlans] = useState<FilePlans>(new Map());
  /** The id of the core's list of ready plans, or null while no plan is ready. */
  const listId = useRef<string | null>(null);
  const [busy, setBusy] = useState<'comparing' | 'starting' | null>(null);
  const aborter = useRef<AbortController | null>(null);
  useEffect(() => () => aborter.current?.abort(), []);
  const set = useCallback((id: string, plan: FilePlan) => setPlans((now) => new Map(now).set(id, plan)), []);

  const compare = useCallback(
    (matches: readonly FileMatch[]) => {
      aborter.current?.abort();
      const controller = new AbortController();
      aborter.current = controller;
      listId.current = null;
      setPlans(new Map());
      setBusy('comparing');
      void (async () => {
        for (const match of matches) {
          if (controller.signal.aborted) return;
          if (match.handle !== null && match.problem === null)
            await compareFile(match, match.handle, {
              signal: controller.signal,
              report(plan) {
                if (!controller.signal.aborted) set(refId(match.ref), plan);
              },
              async collect(planId) {
                const list = await rpc.stalled.collectPlan({ planId, listId: listId.current });
                if (!controller.signal.aborted) listId.current = list.listId;
              },
            });
        }
        if (!controller.signal.aborted) setBusy(null);
      })();
    },
    [set],
  );

  /** Starts the ready plans as one job. Resolves to the error if starting failed, otherwise to null. */
  const start = useCallback(async () => {
    const ready = [...plans].flatMap(([id, state]) =>
      state.kind === 'planned' && isReady(state.plan) ? [{ id, planId: state.plan.planId }] : [],
    );
    const [first] = ready;
    if (first === undefined || listId.current === null) return null;
    setBusy('starting');
    try {
      // Starts a simple job for a single upload, since only that kind can ask for its file again.
      const { jobId } =
        ready.length === 1
          ? await rpc.stalled.resume({ planId: first.planId, options: singleUploadOptions })
          : await rpc.stalled.resumeMany({ listId: listId.current });
      for (const { id } of ready) set(id, { kind: 'started', jobId });
      return null;
    } catch (thrown) {
      return appErrorOf(thrown);
    } finally {
      setBusy(null);
    }
  }, [plans, set]);

  const stop = useCallback(() => {
    aborter.current?.abort();
    setBusy(null);
    setPlans((now) => new Map([...now].filter(([, plan]) => plan.kind !== 'comparing')));
  }, []);
  return { plans, busy, compare, start, stop };
}

interface Comparing {
  readonly signal: AbortSignal;
  readonly report: (plan: FilePlan) => void;
  /** Stores a plan in the core for the combined job. */
  readonly collect: (planId: string) => Promise<void>;
}

async function compareFile(
  match: FileMatch,
  handle: string,
  { signal, report, collect }: Comparing,
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
    if (isReady(plan)) await collect(plan.planId);
    report({ kind: 'planned', plan });
  } catch (thrown) {
    report({ kind: 'failed', error: appErrorOf(thrown) });
  }
}
