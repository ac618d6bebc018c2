import { ActionIcon, Tooltip } from '@mantine/core';
import type { TFunction } from 'i18next';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { requestLogEntrySchema, type RequestLogEntry } from '../../../shared/models/settings.ts';
import { CopyButton } from '../../ui/clipboard/copy-button.tsx';
import { formatBytes, formatExactDate } from '../../ui/words/format.ts';
import { lineAsText } from './log-model.ts';
import { durationText } from './log-words.ts';
import classes from './request-log.module.css';

interface Props {
  readonly entry: RequestLogEntry;
  readonly onClose: () => void;
}

/** The method is shown with the path. */
const fields = requestLogEntrySchema.keyof().exclude(['id', 'method']).options;

/** The fields that are shown other than as they are. */
const texts: Readonly<
  Partial<Record<(typeof fields)[number], (entry: RequestLogEntry, t: TFunction) => string>>
> = {
  path: ({ method, path }) => `${method} ${path}`,
  status: ({ status }, t) => (status === null ? t('requestLog.noAnswer') : String(status)),
  startedAt: ({ startedAt }) => `${formatExactDate(startedAt)} (${startedAt})`,
  durationMs: ({ durationMs }, t) => durationText(durationMs, t),
  requestBytes: ({ requestBytes }) => formatBytes(requestBytes),
  responseBytes: ({ responseBytes }) => formatBytes(responseBytes),
};

/** Everything the log has about one request. */
export function EntryDetails({ entry, onClose }: Props) {
  const { t } = useTranslation();
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
        {fields.map((field) => {
          const value = texts[field]?.(entry, t) ?? entry[field];
          return value === null ? null : (
            <div key={field}>
              <dt>{t(`requestLog.fields.${field}`)}</dt>
              <dd>{value}</dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
