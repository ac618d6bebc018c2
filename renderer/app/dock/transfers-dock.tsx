import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { JobsButton, LazyJobsPanel } from '../../features/transfers/index.ts';
import { Splitter } from '../../ui/splitter.tsx';
import { StatusSlot } from '../../ui/status-slot.tsx';
import type { Transfers } from '../services/use-transfers.ts';
import classes from '../panes/panes.module.css';

interface Props {
  readonly transfers: Transfers;
  /** True if the panel is visible. In a low window, the request log may cover the panel. */
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Shows the transfers at the bottom of the window, and the bar that opens them. */
export const TransfersDock = memo(function TransfersDock({ transfers, isOpen, onToggle }: Props) {
  const { t } = useTranslation();
  const { heightPx, resize, jobServices } = transfers;
  return (
    <>
      {isOpen ? (
        <>
          <Splitter
            label={t('entries.jobs.resize')}
            valuePx={heightPx}
            minPx={120}
            maxPx={800}
            part="end"
            axis="y"
            onResize={resize}
          />
          <div data-pane="transfers" className={classes.transfersDock} style={{ height: heightPx }}>
            <LazyJobsPanel services={jobServices} onClose={onToggle} />
          </div>
        </>
      ) : null}
      <div
        data-pane="status"
        className={classes.statusBar}
        role="group"
        aria-label={t('common.shell.statusBar')}
      >
        <StatusSlot className={classes.statusSlot} />
        <JobsButton isOpen={isOpen} onToggle={onToggle} />
      </div>
    </>
  );
});
