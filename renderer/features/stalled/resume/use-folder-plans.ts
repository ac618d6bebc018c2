import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
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
  const [comparison] = useState(() => new FolderComparison());
  const { plans, busy } = useStore(comparison.store);
  useEffect(() => () => comparison.clear(), [comparison]);
  const { compare, start, stop, clear } = comparison;
  return { plans, busy, compare, start, stop, clear };
}

interface ComparisonState {
  readonly plans: FilePlans;
  readonly busy: 'comparing' | 'starting' | null;
}

const nothingCompared: ComparisonState = { plans: new Map(), busy: null };

/** The comparison of one folder's files. The core's list contains exactly the ready plans that `store` shows. */
export class FolderComparison {
  readonly store = createStore<ComparisonState>()(() => nothingCompared);
  /** The id of the core's list of ready plans, or null while no plan is ready. */
  #listId: string | null = null;
  /** Aborts the current comparison; null if there is none. Replies to an earlier comparison are dropped. */
  #aborter: AbortController | null = null;
  /** The comparison whose plan the core is adding to its list, or null. */
  #collecting: AbortController | null = null;

  readonly compare = (matches: readonly FileMatch[]): void => {
    this.clear();
    const controller = new AbortController();
    this.#aborter = controller;
    this.store.setState({ busy: 'comparing' });
    void (async () => {
      for (const match of matches) {
        if (controller.signal.aborted) break;
        if (match.handle !== null && match.problem === null)
          await this.#compareFile(match, match.handle, controller);
      }
      if (!controller.signal.aborted) this.store.setState({ busy: null });
    })();
  };

  /** Starts the ready plans as one job. Resolves to the error if starting failed, otherwise to null. */
  readonly start = async (): Promise<AppError | null> => {
    const ready = [...this.store.getState().plans].flatMap(([id, state]) =>
      state.kind === 'planned' && isReady(state.plan) ? [{ id, planId: state.plan.planId }] : [],
    );
    const [first] = ready;
    const listId = this.#listId;
    if (first === undefined || listId === null) return null;
    this.store.setState({ busy: 'starting' });
    try {
      const { jobId } =
        ready.length === 1 ? await resumeOne(first.planId, listId) : await rpc.stalled.resumeMany({ listId });
      for (const { id } of ready) this.#set(id, { kind: 'started', jobId });
      return null;
    } catch (thrown) {
      return appErrorOf(thrown);
    } finally {
      this.store.setState({ busy: null });
    }
  };

  /** Stops comparing. A plan that the core is just adding to its list is awaited, because it would be resumed too. */
  readonly stop = (): void => {
    this.#aborter?.abort();
    this.store.setState(({ plans, busy }) => ({
      plans: new Map([...plans].filter(([, plan]) => plan.kind !== 'comparing')),
      busy: this.#collecting === null ? null : busy,
    }));
  };

  /** Stops comparing and drops all plans. */
  readonly clear = (): void => {
    this.#aborter?.abort();
    this.#aborter = null;
    this.#collecting = null;
    this.#listId = null;
    this.store.setState(nothingCompared);
  };

  #set(id: string, plan: FilePlan): void {
    this.store.setState(({ plans }) => ({ plans: new Map(plans).set(id, plan) }));
  }

  async #compareFile(match: FileMatch, handle: string, controller: AbortController): Promise<void> {
    const { signal } = controller;
    const id = refId(match.ref);
    const report = (plan: FilePlan): void => {
      if (!signal.aborted) this.#set(id, plan);
    };
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
      if (isReady(plan) && !signal.aborted) await this.#collect(plan, id, controller);
      else report({ kind: 'planned', plan });
    } catch (thrown) {
      report({ kind: 'failed', error: appErrorOf(thrown) });
    }
  }

  /** Stores a ready plan in the core for the combined job, and shows it, even if the user chose Stop meanwhile. */
  async #collect(plan: UploadPlan, id: string, controller: AbortController): Promise<void> {
    this.#collecting = controller;
    try {
      const { listId } = await rpc.stalled.collectPlan({ planId: plan.planId, listId: this.#listId });
      if (this.#aborter !== controller) return;
      this.#listId = listId;
      this.#set(id, { kind: 'planned', plan });
    } finally {
      if (this.#collecting === controller) {
        this.#collecting = null;
        if (controller.signal.aborted) this.store.setState({ busy: null });
      }
    }
  }
}

/** Starts a simple job for a single upload, since only that kind can ask for its file again. */
async function resumeOne(planId: string, listId: string): Promise<{ readonly jobId: string }> {
  try {
    return await rpc.stalled.resume({ planId, options: singleUploadOptions });
  } catch (thrown) {
    if (appErrorOf(thrown).reason !== 'plan-gone') throw thrown;
    // The core keeps only the last plans outside lists, and many other files were compared after this one.
    return await rpc.stalled.resumeMany({ listId });
  }
}
