import type { UploadPlan } from '../../../../shared/models/resume-plan.ts';

/**
 * Returns true if a plan may start together with other plans. A plan that leaves out stored parts needs a separate confirmation.
 */
export function isReady({ refusal, partsBeyond }: UploadPlan): boolean {
  return refusal === null && partsBeyond.length === 0;
}
