import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import type { FileEntry } from '../../../../shared/models/files.ts';
import type { UploadRef } from '../../../../shared/models/stalled.ts';
import type { PlanEvent, UploadPlan } from '../../../../shared/models/resume-plan.ts';
import { rpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';

type Progress = Extract<PlanEvent, { kind: 'progress' }>;

export type Planning =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'running';
      readonly progress: Progress | null;
      /** Bytes hashed in a second, on average. */
      readonly bytesPerSecond: number | null;
    }
  | { readonly kind: 'planned'; readonly plan: UploadPlan; readonly etagsAreNotMd5: boolean }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: AppError };

/** Compares a file with the parts of an upload, without uploading. Aborts when the dialog closes. */
export function usePlan(upload: UploadRef) {
  const [planning, setPlanning] = useState<Planning>({ kind: 'idle' });
  const aborter = useRef<AbortController | null>(null);
  useEffect(() => () => aborter.current?.abort(), []);

  const start = useCallback(
    (file: FileEntry, etagsAreNotMd5: boolean) => {
      aborter.current?.abort();
      const controller = new AbortController();
      aborter.current = controller;
      setPlanning({ kind: 'running', progress: null, bytesPerSecond: null });
      void (async () => {
        try {
          const plan = await planOf(
            upload,
            file,
            etagsAreNotMd5,
            controller.signal,
            (progress, bytesPerSecond) => {
              if (!controller.signal.aborted) setPlanning({ kind: 'running', progress, bytesPerSecond });
            },
          );
          if (!controller.signal.aborted) setPlanning({ kind: 'planned', plan, etagsAreNotMd5 });
        } catch (thrown) {
          if (!controller.signal.aborted) setPlanning({ kind: 'failed', error: appErrorOf(thrown) });
        }
      })();
    },
    [upload],
  );
  const stop = useCallback(() => {
    aborter.current?.abort();
    setPlanning({ kind: 'stopped' });
  }, []);
  return { planning, start, stop };
}

/** Reads the stream of a comparison and returns the plan at its end. */
export async function planOf(
  ref: UploadRef,
  file: FileEntry,
  etagsAreNotMd5: boolean,
  signal: AbortSignal,
  onProgress: (progress: Progress, bytesPerSecond: number | null) => void,
): Promise<UploadPlan> {
  const input = { ref, fileHandle: file.handle, etagsAreNotMd5 };
  let hashingSince: number | null = null;
  let plan: UploadPlan | null = null;
  for await (const event of await rpc.stalled.plan(input, { signal })) {
    if (event.kind === 'plan') {
      plan = event.plan;
      continue;
    }
    const nowMs = performance.now();
    if (event.step === 'hashing') hashingSince ??= nowMs;
    const elapsedMs = hashingSince === null ? 0 : nowMs - hashingSince;
    onProgress(event, elapsedMs < 500 ? null : (event.bytesHashed / elapsedMs) * 1000);
  }
  if (plan === null) throw new Error('The comparison ended without a plan.');
  return plan;
}
