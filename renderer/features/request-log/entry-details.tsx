import { ActionIcon, Tooltip } from '@mantine/core';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { RequestLogEntry } from '../../../shared/models/app.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatBytes, formatExactDate } from '../../ui/format.ts';
import { lineAsText } from './log-model.ts';
import { durationText } from './log-words.ts';
import classes from './request-log.module.css';

interface Props {
  readonly entry: RequestLogEntry;
  readonly onClose: () => void;
}

/** All that is known of one request. */
export function EntryDetails({ entry, onClose }: Props) {
  const { t } = useTranslation();
  const rows = [
    ['operation', entry.operation],
    ['request', `${entry.method} ${entry.path}`],
    ['host', entry.host],
    ['status', entry.status === null ? t('requestLog.noAnswer') : String(entry.status)],
    ['error', entry.error],
    ['requestId', entry.requestId],
    ['startedAt', `${formatExactDate(entry.startedAt)} (${entry.startedAt})`],
    ['durationMs', durationText(entry.durationMs, t)],
    ['tryNumber', String(entry.tryNumber)],
    ['sent', formatBytes(entry.requestBytes)],
    ['received', formatBytes(entry.responseBytes)],
  ] as const;
  return (
    <section className={classes.details} aria-label={t('requestLog.details')}>
      <div className={classes.detailsHead}>
        <strong>{t('requestLog.details')}</strong>
        <span className={classes.spacer} />
        <CopyButton value={lineAsText(entry)} label={t('requestLog.copyLine')} />
        <Tooltip label={t('requestLog.closeDetails')}>
          <ActionIcon size="sm" aria-label={t('requestLog.closeDetails')} onClick={onClose}>
            <X size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      <dl className={classes.fields}>
        {rows.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{t(`requestLog.fields.${name}`)}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </section>
  );
}
