import type { TFunction } from 'i18next';
import type { Side } from '../../../../shared/models/transfers.ts';
import { formatBytes, formatExactDate } from '../../../ui/words/format.ts';

/** Returns which side is newer; null: the times do not tell. */
export function newerSide(source: Side | null, target: Side | null): 'source' | 'target' | null {
  const from = Date.parse(source?.modifiedAt ?? '');
  const to = Date.parse(target?.modifiedAt ?? '');
  if (Number.isNaN(from) || Number.isNaN(to) || Math.abs(from - to) < 2000) return null;
  return from > to ? 'source' : 'target';
}

export function sizeText(side: Side | null, t: TFunction): string {
  const size = side?.sizeBytes ?? null;
  return size === null ? t('transfers.conflicts.sizeUnknown') : formatBytes(size);
}

export function timeText(side: Side | null, t: TFunction): string {
  const at = side?.modifiedAt ?? null;
  return at === null ? t('transfers.conflicts.timeUnknown') : formatExactDate(at);
}
