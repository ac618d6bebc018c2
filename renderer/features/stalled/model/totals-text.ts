import type { TFunction } from 'i18next';
import { formatBytes, formatDate } from '../../../ui/words/format.ts';
import type { UploadRows } from '../../../../shared/models/stalled.ts';

/** Returns the totals as text, for example `12 uploads, at least 3.4 GB stored, the oldest from 3 May 2025`. */
export function totalsText({ found, totals }: Pick<UploadRows, 'found' | 'totals'>, t: TFunction): string {
  const { storedBytes, unread, oldestAt } = totals;
  const words = 'stalled.totals';
  const size = formatBytes(storedBytes);
  const parts = [
    t(`${words}.uploads`, { count: found }),
    unread === 0
      ? t(`${words}.stored`, { size })
      : unread === found
        ? null
        : t(`${words}.storedAtLeast`, { size }),
    oldestAt === null ? null : t(`${words}.oldest`, { date: formatDate(oldestAt) }),
  ];
  return parts.filter((part) => part !== null).join(', ');
}
