import type { TFunction } from 'i18next';
import type { CompletionCheck, StandingObject } from '../../../../shared/models/stalled.ts';
import { formatBytes, formatDate } from '../../../ui/words/format.ts';
import { countInRanges, rangesOf, rangesText } from '../model/ranges.ts';

/** `cannot`: the service would refuse to complete the upload. `incomplete`: the user must confirm that parts are missing. */
export type Readiness = 'cannot' | 'ready' | 'incomplete';

export function readinessOf(check: CompletionCheck): Readiness {
  if (check.problem !== null) return 'cannot';
  return check.gaps.length > 0 ? 'incomplete' : 'ready';
}

/** Returns why an upload cannot be completed now, or null if it can. */
export function problemSentence(check: CompletionCheck, t: TFunction): string | null {
  switch (check.problem) {
    case null:
      return null;
    case 'part-too-small': {
      const parts = rangesOf(check.partNumbers);
      return t('stalled.problems.part-too-small', {
        count: Math.max(1, check.partNumbers.length),
        parts: rangesText(parts, t),
      });
    }
    case 'gaps-with-checksums':
      return t('stalled.problems.gaps-with-checksums', { parts: rangesText(check.gaps, t) });
    default:
      return t(`stalled.problems.${check.problem}`);
  }
}

/** Returns a sentence that names the missing parts, or null without missing parts. */
export function gapsSentence(check: CompletionCheck, t: TFunction): string | null {
  if (check.gaps.length === 0) return null;
  return t('stalled.complete.gaps', { count: countInRanges(check.gaps), ranges: rangesText(check.gaps, t) });
}

/** Returns a sentence about the effect on the existing object at the key. */
export function overwriteSentence(standing: StandingObject, t: TFunction): string {
  switch (standing.kind) {
    case 'absent':
      return t('stalled.complete.createsNew');
    case 'unreadable':
      return t('stalled.complete.overwritesUnknown');
    default: {
      const bytes = formatBytes(standing.sizeBytes);
      return standing.lastModified === null
        ? t('stalled.complete.overwritesUndated', { bytes })
        : t('stalled.complete.overwrites', { bytes, date: formatDate(standing.lastModified) });
    }
  }
}

/** Returns true if the version id of the existing object shows that its bucket keeps versions: it is not `null`. */
export function keepsVersions(standing: StandingObject): boolean {
  return standing.kind === 'present' && standing.versionId !== null && standing.versionId !== 'null';
}

/** Groups the checks by readiness. With `acceptGaps`, the totals include the incomplete uploads. */
export function sortChecks(checks: readonly CompletionCheck[], acceptGaps: boolean) {
  const of = (readiness: Readiness) => checks.filter((check) => readinessOf(check) === readiness);
  const ready = of('ready');
  const incomplete = of('incomplete');
  const going = acceptGaps ? [...ready, ...incomplete] : ready;
  return {
    ready,
    incomplete,
    cannot: of('cannot'),
    readyBytes: going.reduce((sum, check) => sum + check.sizeBytes, 0),
    replaces: going.filter((check) => check.standing.kind === 'present').length,
  };
}
