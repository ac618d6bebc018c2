import { Box } from '@mantine/core';
import { useFocusTrap } from '@mantine/hooks';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeptView } from '../rpc/use-kept-view.ts';
import { isCommand } from '../ui/keyboard/commands.ts';
import { restoreFocus } from '../ui/keyboard/keyboard-place.ts';
import { focusWithin } from '../ui/keyboard/panes.ts';
import { isEventInside } from '../ui/event-inside.ts';
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

/** Shows the sidebar next to the content at its saved width. In a narrow window, it is a dialog over the content. */
export function SidebarFrame({ isNarrow, layout, onHide, children }: SidebarFrameProps) {
  const { t } = useTranslation();
  if (isNarrow) return <Drawer onHide={onHide}>{children}</Drawer>;
  return (
    <>
      <Box data-pane="sidebar" flex="none" mih={0} style={{ width: layout.value.sidebarPx }}>
        {children}
      </Box>
      <Splitter
        label={t('common.shell.resizeSidebar')}
        valuePx={layout.value.sidebarPx}
        minPx={160}
        maxPx={480}
        part="start"
        onResize={(sidebarPx) => layout.set({ ...layout.value, sidebarPx })}
      />
    </>
  );
}

/** A dialog that keeps focus until it closes, which happens on Escape, on a click outside, or when a location is chosen. */
function Drawer({ onHide, children }: Pick<SidebarFrameProps, 'onHide' | 'children'>) {
  const { t } = useTranslation();
  const trap = useFocusTrap();
  const [drawer, setDrawer] = useState<HTMLDivElement | null>(null);
  useEffect(() => {
    if (drawer === null) return undefined;
    trap(drawer);
    // Runs after the focus trap, which would focus the first button.
    const timer = setTimeout(() => {
      focusWithin(drawer);
    }, 0);
    return () => {
      clearTimeout(timer);
      trap(null);
      restoreFocus(null);
    };
  }, [drawer, trap]);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its keys close it, as in any dialog */}
      <div
        ref={setDrawer}
        role="dialog"
        aria-modal
        aria-label={t('common.shell.sidebar')}
        data-pane="sidebar"
        className={classes.drawer}
        style={{ width: drawerPx }}
        onKeyDown={(event) => {
          const closes = event.key === 'Escape' || isCommand(event, 'toggleSidebar');
          if (!closes || event.defaultPrevented || !isEventInside(event)) return;
          event.preventDefault();
          onHide();
        }}
      >
        {children}
      </div>
      <button
        type="button"
        className={classes.veil}
        aria-label={t('common.shell.hideSidebar')}
        tabIndex={-1}
        onClick={onHide}
      />
    </>
  );
}
