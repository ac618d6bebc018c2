import type { TFunction } from 'i18next';
import type { Side } from '../../../../shared/models/transfers.ts';
import { formatBytes, formatExactDate } from '../../../ui/words/format.ts';

export function sizeText(side: Side | null, t: TFunction): string {
  const size = side?.sizeBytes ?? null;
  return size === null ? t('jobs.conflicts.sizeUnknown') : formatBytes(size);
}

export function timeText(side: Side | null, t: TFunction): string {
  const at = side?.modifiedAt ?? null;
  return at === null ? t('jobs.conflicts.timeUnknown') : formatExactDate(at);
}
