import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { JobsButton, JobsPanel } from '../features/jobs/index.ts';
import { Splitter } from '../ui/splitter.tsx';
import { StatusSlot } from '../ui/status-slot.tsx';
import type { Transfers } from './use-transfers.ts';
import classes from './transfers-dock.module.css';

/** The transfers at the bottom of the window, and the bar that opens them. */
export const TransfersDock = memo(function TransfersDock({ transfers }: { readonly transfers: Transfers }) {
  const { t } = useTranslation();
  const { isOpen, heightPx, shown, toggle, resize, jobServices } = transfers;
  return (
    <>
      {isOpen ? (
        <>
          <Splitter
            label={t('jobs.resize')}
            valuePx={heightPx}
            minPx={120}
            maxPx={800}
            part="end"
            axis="y"
            onResize={resize}
          />
          <div className={classes.dock} style={{ height: heightPx }}>
            <JobsPanel services={jobServices} shown={shown} onClose={toggle} />
          </div>
        </>
      ) : null}
      <div className={classes.bar} role="group" aria-label={t('common.shell.statusBar')}>
        <StatusSlot className={classes.slot} />
        <JobsButton isOpen={isOpen} onToggle={toggle} />
      </div>
    </>
  );
});
