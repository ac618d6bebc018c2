import { TimerReset } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useJobsNow } from '../../features/transfers/index.ts';
import { useUploadCount } from '../../features/stalled/index.ts';
import { formatCount } from '../../ui/words/format.ts';
import common from '../../ui/common.module.css';

/** The row "Stalled uploads" below a connection in the sidebar, with their number. */
export function UploadsEntry({ connectionId }: { readonly connectionId: string }) {
  const { t } = useTranslation();
  const { settledSerial } = useJobsNow();
  const known = useUploadCount({ connectionId, bucket: null, prefix: '' }, settledSerial);
  return (
    <>
      <TimerReset size={15} aria-hidden data-marked className={common.sideIcon} />
      <span className={common.label} title={t('entries.stalled.title')}>
        {t('entries.stalled.sidebar')}
      </span>
      {known === null || known.count === 0 ? null : (
        <span className={common.sideCount} title={t('entries.stalled.sidebarCount', { count: known.count })}>
          {known.isComplete
            ? formatCount(known.count)
            : t('entries.stalled.countAtLeast', { number: formatCount(known.count) })}
        </span>
      )}
    </>
  );
}
