import { Box, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { openSettings } from './settings-dialog-store.ts';
import classes from './settings.module.css';

const linePx = 18;
const backToAbout = (): void => openSettings('about');

/** The licences of Cooper's components. Only the visible lines are drawn. Closing it returns to the settings. */
export function LicencesDialog() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ['third-party-licences'],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const response = await fetch('/third-party-licences.txt', { signal });
      if (!response.ok) throw new Error(`Status ${String(response.status)}`);
      return await response.text();
    },
  });
  return (
    <Dialog onClose={backToAbout} title={t('settings.licences')} size="min(760px, 96vw)">
      <FailureNotice error={error} onRetry={() => void refetch()} />
      {data === undefined ? error === null ? <Loader size="sm" /> : null : <Lines text={data} />}
    </Dialog>
  );
}

function Lines({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  const lines = useMemo(() => text.split('\n'), [text]);
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react-hooks/incompatible-library, react/incompatible-library -- its functions are used only here
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    // The height is only an estimate. A long line wraps, so each line is measured when rendered.
    estimateSize: () => linePx,
    overscan: 20,
  });
  return (
    <>
      <Text size="sm" mb="xs">
        {t('settings.licencesBody')}
      </Text>
      <div
        ref={scroller}
        className={joinClasses(common.framed, common.scroll, classes.licences)}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard
        tabIndex={0}
        role="document"
        aria-label={t('settings.licences')}
      >
        <Box pos="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={joinClasses(common.mono, common.breaks, classes.licenceLine)}
              style={{ transform: `translateY(${String(start)}px)` }}
            >
              {lines[index] === '' ? '\u00a0' : lines[index]}
            </div>
          ))}
        </Box>
      </div>
    </>
  );
}
