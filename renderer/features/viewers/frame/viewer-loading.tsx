import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../viewers.module.css';

/** Shown while the first bytes or the viewer are loading. */
export function ViewerLoading(): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={classes.waiting} role="status" aria-label={t('viewers.loading')}>
      <Loader size={28} aria-hidden />
    </div>
  );
}
