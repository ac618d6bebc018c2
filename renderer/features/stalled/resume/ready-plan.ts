import type { UploadPlan } from '../../../../shared/models/stalled.ts';

/** Whether a plan may start with others: one that leaves stored parts out wants a word of its own. */
export function isReady({ refusal, partsBeyond }: UploadPlan): boolean {
  return refusal === null && partsBeyond.length === 0;
}
