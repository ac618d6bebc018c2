import type { TFunction } from 'i18next';
import type { PartsSummary, Verdict } from '../../../../shared/models/stalled.ts';
import { formatAge } from '../../../ui/words/format.ts';

export const verdictTone: Readonly<Record<Verdict, 'quiet' | 'warning' | 'danger' | 'busy'>> = {
  unread: 'quiet',
  'could-not-be-read': 'danger',
  'still-being-written': 'busy',
  empty: 'quiet',
  'has-gaps': 'warning',
  'has-small-parts': 'warning',
  // An upload without gaps may still be incomplete, since the service does not know the intended length.
  'no-gaps': 'quiet',
};

type WithParts = Pick<PartsSummary, 'lastPartIsFull'> | null;

/** Returns the text and explanation of the badge. A full-sized last part suggests that more parts were to follow. */
export function verdictBadge(
  verdict: Verdict,
  parts: WithParts,
  t: TFunction,
): { readonly label: string; readonly body: string } {
  const key = verdict === 'no-gaps' && parts?.lastPartIsFull === true ? 'no-gaps-full' : verdict;
  return { label: t(`stalled.verdicts.${key}.label`), body: t(`stalled.verdicts.${key}.body`) };
}

/** Returns the verdict as a sentence with the numbers for this upload. */
export function verdictSentence(verdict: Verdict, parts: PartsSummary, nowMs: number, t: TFunction): string {
  const words = 'stalled.detail.sentence';
  switch (verdict) {
    case 'has-gaps':
      return t(`${words}.has-gaps`, { count: parts.gapCount });
    case 'has-small-parts':
      return t(`${words}.has-small-parts`, { count: parts.smallCount });
    case 'still-being-written':
      return t(`${words}.still-being-written`, {
        span: formatAge(nowMs - Date.parse(parts.lastPartAt ?? '')) ?? t('stalled.justNow'),
      });
    case 'no-gaps': {
      if (parts.partCount === 1) return t(`${words}.no-gaps-single`);
      const key = parts.lastPartIsFull ? 'no-gaps-full' : 'no-gaps';
      return t(`${words}.${key}`, { highest: parts.highestPartNumber });
    }
    default:
      return t(`${words}.${verdict}`);
  }
}
