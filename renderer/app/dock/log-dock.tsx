import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeptView } from '../../rpc/use-kept-view.ts';
import { Splitter } from '../../ui/splitter.tsx';
import type { Layout } from '../places/window-layout.ts';
import classes from '../panes/panes.module.css';

const RequestLogPanel = lazy(async () => ({
  default: (await import('../../features/request-log/index.ts')).RequestLogPanel,
}));

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
        onResize={(logPx) => {
          layout.set({ ...layout.value, logPx });
        }}
      />
      <div data-pane="log" className={classes.logDock} style={{ height: layout.value.logPx }}>
        <Suspense fallback={null}>
          <RequestLogPanel onClose={onClose} />
        </Suspense>
      </div>
    </>
  );
}
