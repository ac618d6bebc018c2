import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeptView } from '../rpc/use-kept-view.ts';
import { Splitter } from '../ui/splitter.tsx';
import type { Layout } from './places/window-layout.ts';
import classes from './shell.module.css';

const drawerPx = 264;

interface SidebarFrameProps {
  readonly isNarrow: boolean;
  readonly layout: KeptView<Layout>;
  readonly onHide: () => void;
  readonly children: ReactNode;
}

/** The sidebar: next to the content at its saved width; in a narrow window over the content until the user clicks outside it. */
export function SidebarFrame({ isNarrow, layout, onHide, children }: SidebarFrameProps) {
  const { t } = useTranslation();
  return (
    <>
      <div
        data-pane="sidebar"
        className={isNarrow ? classes.drawer : classes.aside}
        style={{ width: isNarrow ? drawerPx : layout.value.sidebarPx }}
      >
        {children}
      </div>
      {isNarrow ? (
        <button
          type="button"
          className={classes.veil}
          aria-label={t('common.shell.hideSidebar')}
          onClick={onHide}
        />
      ) : (
        <Splitter
          label={t('common.shell.resizeSidebar')}
          valuePx={layout.value.sidebarPx}
          minPx={160}
          maxPx={480}
          part="start"
          onResize={(sidebarPx) => {
            layout.set({ ...layout.value, sidebarPx });
          }}
        />
      )}
    </>
  );
}
