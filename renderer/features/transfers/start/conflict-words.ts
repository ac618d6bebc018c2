import type { TFunction } from 'i18next';
import type { Side } from '../../../../shared/models/transfers.ts';
import { formatBytes, formatExactDate } from '../../../ui/words/format.ts';

export function sizeText(side: Side | null, t: TFunction): string {
  const size = side?.sizeBytes ?? null;
  return size === null ? t('transfers.conflicts.sizeUnknown') : formatBytes(size);
}

export function timeText(side: Side | null, t: TFunction): string {
  const at = side?.modifiedAt ?? null;
  return at === null ? t('transfers.conflicts.timeUnknown') : formatExactDate(at);
}
