import type { TFunction } from 'i18next';
import type { UploadPlan } from '../../../../shared/models/resume-plan.ts';
import { formatSpan, formatBytes, formatCount } from '../../../ui/words/format.ts';
import { countInRanges, rangesText } from '../model/ranges.ts';

/** Returns the number of bytes to send. Includes unverifiable parts unless the user accepts the stored ones. */
export function bytesToSend(plan: UploadPlan, acceptUnverified: boolean): number {
  return acceptUnverified ? plan.bytesToSend : plan.bytesToSendWithUnverifiable;
}

export type PlanLineKind = 'verified' | 'missing' | 'differs' | 'too-small' | 'unverifiable' | 'surplus';

/** Returns a sentence for each kind of part in the plan. */
export function planLines(plan: UploadPlan, acceptUnverified: boolean, t: TFunction) {
  const words = 'stalled.resume.plan';
  const unverifiable = acceptUnverified ? 'unverifiableTaken' : 'unverifiable';
  const lines: readonly (readonly [PlanLineKind, number, (count: number) => string])[] = [
    ['verified', plan.partsVerified, (count) => t(`${words}.verified`, { count })],
    ['missing', plan.partsMissing, (count) => t(`${words}.missing`, { count })],
    ['differs', plan.partsDiffer, (count) => t(`${words}.differ`, { count })],
    ['too-small', plan.partsTooSmall, (count) => t(`${words}.small`, { count })],
    ['unverifiable', plan.partsUnverifiable, (count) => t(`${words}.${unverifiable}`, { count })],
    // Omitted if the user must decide about these parts, which a separate notice names.
    ['surplus', leavesOut(plan) ? 0 : plan.partsSurplus, (count) => t(`${words}.surplus`, { count })],
  ];
  return lines.flatMap(([kind, count, say]) => (count > 0 ? [{ kind, text: say(count) }] : []));
}

/** Returns a sentence about how much is sent and how long sending takes. */
export function sendingSentence(plan: UploadPlan, acceptUnverified: boolean, t: TFunction): string {
  const bytes = bytesToSend(plan, acceptUnverified);
  if (leavesOut(plan)) return choiceSentence(plan, bytes, t);
  if (bytes === 0) return t('stalled.resume.plan.nothing');
  const sent = t('stalled.resume.plan.toSend', {
    bytes: formatBytes(bytes),
    total: formatBytes(plan.fileSizeBytes),
  });
  const speed = plan.recentBytesPerSecond;
  const time =
    speed === null || speed <= 0
      ? t('stalled.resume.plan.timeUnknown')
      : t('stalled.resume.plan.time', { span: formatSpan((bytes / speed) * 1000) });
  return `${sent} ${time}`;
}

/** Returns a sentence about how much each of the two options sends if parts beyond the end of the file are stored. */
function choiceSentence(plan: UploadPlan, bytesWithoutThem: number, t: TFunction): string {
  const words = 'stalled.resume.beyond';
  const sends = t(`${words}.againSends`, { bytes: formatBytes(plan.fileSizeBytes) });
  if (!plan.mayLeaveOut) return sends;
  const leaving =
    bytesWithoutThem === 0
      ? t(`${words}.leavingSendsNothing`)
      : t(`${words}.leavingSends`, { bytes: formatBytes(bytesWithoutThem) });
  return `${sends} ${leaving}`;
}

/** Returns why the file does not belong to the upload, or null if it may. */
export function refusalWords(plan: UploadPlan, t: TFunction) {
  if (plan.refusal === null) return null;
  const words = `stalled.resume.refusals.${plan.refusal}` as const;
  return {
    title: t(`${words}.title`),
    body: t(`${words}.body`, {
      bytes: formatBytes(plan.fileSizeBytes),
      partBytes: formatBytes(plan.partSizeBytes),
      parts: t('stalled.strip.parts', { count: plan.partsTotal }),
    }),
    /** Explains that either the file is wrong or the ETags are not MD5. Null for any other refusal. */
    choice: plan.refusal === 'all-differ' ? t('stalled.resume.refusals.all-differ.choice') : null,
  };
}

/** Returns true if a plan can run, possibly only after the user confirms that parts are left out. */
export function canRun({ refusal, partsBeyond }: UploadPlan): boolean {
  return refusal === null || (refusal === 'too-short' && partsBeyond.length > 0);
}

/** Returns true if the plan leaves out stored parts and either the user must choose, or the service is known to refuse. */
export function leavesOut(plan: UploadPlan): boolean {
  return plan.partsBeyond.length > 0 || (plan.partsSurplus > 0 && !plan.mayLeaveOut);
}

/** Returns a description of parts beyond the end of the file, or null if the plan leaves out nothing. */
export function beyondWords(plan: UploadPlan, t: TFunction) {
  if (!leavesOut(plan)) return null;
  const words = 'stalled.resume.beyond';
  const count = countInRanges(plan.partsBeyond);
  const replaced =
    plan.partReplaced === null ? [] : [t(`${words}.replaced`, { part: formatCount(plan.partReplaced) })];
  const leaving = plan.mayLeaveOut ? [t(`${words}.leaving`), ...replaced] : [t(`${words}.refused`)];
  return {
    title:
      count === 0
        ? t('stalled.resume.plan.surplus', { count: plan.partsSurplus })
        : t(`${words}.title`, { count, ranges: rangesText(plan.partsBeyond, t) }),
    sentences: [...(count === 0 ? [] : [t(`${words}.proved`)]), ...leaving, t(`${words}.againHint`)],
  };
}

/**
 * Parses the number of parallel parts. Returns null for an empty text (the setting applies), and `invalid` for anything but 1 to
 * 64.
 */
export function parseParallel(text: string): number | null | 'invalid' {
  if (text.trim() === '') return null;
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value <= 64 ? value : 'invalid';
}

/**
 * Returns true if a plan may start together with other plans. A plan that leaves out stored parts needs a separate confirmation.
 */
export function isReady({ refusal, partsBeyond }: UploadPlan): boolean {
  return refusal === null && partsBeyond.length === 0;
}
