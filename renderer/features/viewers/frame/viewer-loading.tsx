import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './viewer-loading.module.css';

/** While the first bytes, or the viewer itself, are on their way. */
export function ViewerLoading(): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={classes.waiting} role="status" aria-label={t('viewers.loading')}>
      <Loader size={28} aria-hidden />
    </div>
  );
}
