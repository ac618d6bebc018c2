import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import type { AppError } from '../../../shared/errors.ts';
import { jobs as catalogue } from '../../../shared/messages/en/jobs.ts';
import type { Job } from '../../../shared/models/jobs.ts';
import { rpc } from '../../rpc/client.ts';
import { errorWords } from '../../ui/error-words.ts';
import { formatCount } from '../../ui/format.ts';
import { KeyText } from '../../ui/key-text.tsx';
import classes from './jobs-panel.module.css';

const mostShown = 200;

type Why = keyof typeof catalogue.failedItems.why;

function isWhy(reason: string | undefined): reason is Why {
  return reason !== undefined && Object.hasOwn(catalogue.failedItems.why, reason);
}

/** Why an item failed: by its own words where the disk is the cause, else by those of every error. */
export function whyText(error: AppError, t: TFunction): string {
  return isWhy(error.reason) ? t(`jobs.failedItems.why.${error.reason}`) : t(`${errorWords(error)}.title`);
}

/** What of a transfer of files could not be done, each with its reason; nothing where all is well. */
export function FailedItems({ job }: { readonly job: Job }) {
  const { t } = useTranslation();
  const failed = job.items?.failed ?? 0;
  const list = useQuery({
    queryKey: ['transfers.failed', job.id, failed],
    enabled: failed > 0,
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) =>
      rpc.transfers.items({ jobId: job.id, filter: 'failed', offset: 0, limit: mostShown }, { signal }),
  });
  if (failed === 0 || list.data === undefined) return null;
  const { items, total } = list.data;
  return (
    <div className={classes.advice} role="region" aria-label={t('jobs.failedItems.label')}>
      <p>{t('jobs.failedItems.count', { count: total })}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it */}
      <ul className={classes.items} tabIndex={0}>
        {items.map((item) => (
          <li key={item.seq}>
            <KeyText name={item.key} />
            {item.error === null ? null : `: ${whyText(item.error, t)}`}
          </li>
        ))}
      </ul>
      {total > items.length ? (
        <p>{t('jobs.failedItems.more', { rest: formatCount(total - items.length) })}</p>
      ) : null}
    </div>
  );
}
