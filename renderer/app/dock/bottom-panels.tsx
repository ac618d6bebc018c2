import { Box, Group } from '@mantine/core';
import { memo, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMediaQuery } from '@mantine/hooks';
import type { KeptView } from '../../rpc/use-kept-view.ts';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import { lazyComponent } from '../../ui/lazy-part.tsx';
import { Splitter } from '../../ui/splitter.tsx';
import { JobsButton, LazyJobsPanel } from '../../features/transfers/index.ts';
import { StatusSlot } from '../../ui/status-slot.tsx';
import { type Layout, lowWindow } from '../places/window-layout.ts';
import type { Transfers } from '../services/use-transfers.ts';

interface BottomPanel {
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

interface Options {
  readonly log: BottomPanel;
  readonly transfers: BottomPanel;
  /** The number of requests to show a job. Each new request brings the transfers to the front. */
  readonly showRequestCount: number;
}

/**
 * Manages the request log and the transfers below the folder. A low window shows only the panel that was opened last. Closing
 * this panel, or opening the covered panel again, shows the covered panel.
 */
export function useBottomPanels({ log, transfers, showRequestCount }: Options): {
  readonly log: BottomPanel;
  readonly transfers: BottomPanel;
} {
  const isLow = useMediaQuery(lowWindow, false, { getInitialValueInEffect: false });
  const [front, setFront] = useState<'log' | 'transfers'>('transfers');
  const [handledCount, setHandledCount] = useState(showRequestCount);
  if (handledCount !== showRequestCount) {
    setHandledCount(showRequestCount);
    setFront('transfers');
  }
  const showsOnlyFront = isLow && log.isOpen && transfers.isOpen;
  const shown = (name: typeof front, panel: BottomPanel): BottomPanel => {
    const isBehind = showsOnlyFront && front !== name;
    return {
      isOpen: panel.isOpen && !isBehind,
      toggle: () => {
        setFront(name);
        if (!isBehind) panel.toggle();
      },
    };
  };
  return { log: shown('log', log), transfers: shown('transfers', transfers) };
}

const RequestLogPanel = lazyComponent(
  async () => (await import('../../features/request-log/index.ts')).RequestLogPanel,
);

interface LogDockProps {
  readonly layout: KeptView<Layout>;
  readonly onClose: () => void;
}

/** The request log at the bottom of the window. */
export function LogDock({ layout, onClose }: LogDockProps) {
  const { t } = useTranslation();
  return (
    <>
      <Splitter
        label={t('common.shell.resizeLog')}
        valuePx={layout.value.logPx}
        minPx={120}
        maxPx={800}
        part="end"
        axis="y"
        onResize={(logPx) => layout.set({ ...layout.value, logPx })}
      />
      <Box
        data-pane="log"
        className={common.clip}
        flex="0 1 auto"
        mih={0}
        mah="70%"
        style={{ height: layout.value.logPx }}
      >
        <Suspense fallback={null}>
          <RequestLogPanel onClose={onClose} />
        </Suspense>
      </Box>
    </>
  );
}

interface Props {
  readonly transfers: Transfers;
  /** True if the panel is visible. In a low window, the request log may cover the panel. */
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Shows the transfers at the bottom of the window, and the bar that opens them. */
export const TransfersDock = memo(function TransfersDock({ transfers, isOpen, onToggle }: Props) {
  const { t } = useTranslation();
  const { heightPx, resize } = transfers;
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
          <Box
            data-pane="transfers"
            className={joinClasses(common.lineAbove, common.clip)}
            flex="0 1 auto"
            mih={0}
            mah="60%"
            style={{ height: heightPx }}
          >
            <LazyJobsPanel onClose={onToggle} />
          </Box>
        </>
      ) : null}
      <Group
        data-pane="status"
        className={common.lineAbove}
        wrap="nowrap"
        flex="none"
        gap="sm"
        h={26}
        pe="xs"
        bg="var(--cooper-sidebar)"
        role="group"
        aria-label={t('common.shell.statusBar')}
      >
        <StatusSlot className={joinClasses(common.fill, common.clip)} />
        <JobsButton isOpen={isOpen} onToggle={onToggle} />
      </Group>
    </>
  );
});
