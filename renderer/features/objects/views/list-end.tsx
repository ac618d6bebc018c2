import { Loader } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import type { ListedRows, RowViewProps } from './folder-views.ts';
import classes from '../list.module.css';

/** Number of loaded rows below the visible rows at which the next page is requested. */
const aheadRows = 700;

/**
 * Requests the next page before the end of the loaded rows is visible. If the request failed, scrolls to the error at the last
 * row.
 */
export function useListEnd({ model, folder, viewport, rows, footerPx }: RowViewProps): void {
  const { fetchAhead } = folder;
  const { scroller } = viewport;
  const nearEnd = model.filter === '' && viewport.window.end + aheadRows >= model.count;
  useEffect(() => {
    if (nearEnd) fetchAhead();
  }, [nearEnd, fetchAhead]);

  // With focus on the last row, scrolls to the error and its retry button.
  const isAtFailure = folder.nextError !== null && rows.focusPosition === model.count - 1;
  useEffect(() => {
    if (isAtFailure) scroller?.scrollTo({ top: scroller.scrollHeight });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- re-run when the footer grows
  }, [isAtFailure, scroller, footerPx]);
}

/** The end of the list, below the last loaded row. */
export function ListEnd({ folder }: { readonly folder: ListedRows }) {
  const { t } = useTranslation();
  if (folder.isFetching)
    return (
      <span className={classes.footerLine}>
        <Loader size={14} aria-hidden />
        {t('objects.footer.loading')}
      </span>
    );
  if (folder.nextError !== null)
    return (
      <div className={classes.footerError}>
        <strong>{t('objects.footer.failed')}</strong>
        <ErrorNotice error={folder.nextError} onRetry={folder.retry} isReading permission="s3:ListBucket" />
      </div>
    );
  return <span className={classes.footerLine}>{t('objects.footer.more')}</span>;
}
