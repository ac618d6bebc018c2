import type { UploadPlan } from '../../../../shared/models/resume-plan.ts';

/** Returns true if a plan may start with others. A plan that omits stored parts needs a confirmation for itself. */
export function isReady({ refusal, partsBeyond }: UploadPlan): boolean {
  return refusal === null && partsBeyond.length === 0;
}
