import { Button } from '@mantine/core';
import { Unplug } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { coreLink, useCoreStatus } from '../rpc/client.ts';
import classes from './shell.module.css';

/** Number of attempts (about 15 seconds) after which Cooper was probably closed rather than busy. */
const triesUntilGone = 5;

/** Says that the core is unreachable and that the window is reconnecting. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const status = useCoreStatus();
  if (status.kind !== 'lost') return null;
  const isGone = status.failedTries >= triesUntilGone;
  return (
    <div role="alert" className={classes.banner}>
      <Unplug size={16} aria-hidden />
      <span>{t(isGone ? 'common.connection.lostLong' : 'common.connection.lost')}</span>
      <Button
        variant="default"
        size="compact-xs"
        onClick={() => {
          coreLink.tryNow();
        }}
      >
        {t('common.connection.tryNow')}
      </Button>
    </div>
  );
}
