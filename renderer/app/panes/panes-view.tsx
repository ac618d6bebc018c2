import { Flex } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DetailsSlot, type FolderHandle } from '../../features/objects/index.ts';
import common from '../../ui/common.module.css';
import { Splitter } from '../../ui/splitter.tsx';
import { minPercent, type PaneId, type Tab } from '../places/navigation.ts';
import { PaneView, type PaneServices } from './pane-view.tsx';
import { type Details, DetailsFrame } from './details-frame.tsx';

interface PanesViewProps {
  readonly tab: Tab;
  readonly isRestored: boolean;
  readonly editingPath: PaneId | null;
  /** The details of the active pane. */
  readonly details: Details;
  readonly versionsShown: ReadonlySet<PaneId>;
  readonly handle: (pane: PaneId, handle: FolderHandle | null) => void;
  readonly services: PaneServices;
}

/** Minimum width of details that overlay the inactive pane. If the pane is narrower, they extend into the active pane. */
const minOverPx = 260;
/** Width of the list that stays visible next to details that overlay it. */
const visibleListPx = 40;

/** Shows the content of the front tab: one location, or two side by side. */
export function PanesView({ tab, details, services, ...props }: PanesViewProps) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const [left] = tab.panes;
  const isPair = tab.panes.length === 2;
  const [slot, setSlot] = useState<HTMLDivElement | null>(null);
  const isLeftActive = isPair && tab.activePane === left.id;
  const otherPx = (width * (isLeftActive ? 100 - tab.leftPercent : tab.leftPercent)) / 100;
  const minPanePx = Math.round((width * minPercent) / 100);
  return (
    // The folder always shows some rows. The panels below it shrink instead.
    <Flex
      ref={followContentBottom}
      id="tab-panel"
      role="tabpanel"
      aria-labelledby={`tab-${String(tab.id)}`}
      className={common.clip}
      pos="relative"
      flex="1 0 0"
      mih="min(300px, 55%)"
    >
      <Flex
        ref={ref}
        flex={1}
        miw={0}
        mih={0}
        pb="var(--cooper-notices, 0px)"
        style={isPair ? { ['--left' as string]: `${String(tab.leftPercent)}%` } : undefined}
      >
        {tab.panes.map((pane) => {
          const isActive = pane.id === tab.activePane;
          return (
            <Fragment key={pane.id}>
              {isPair && pane !== left ? (
                <Splitter
                  label={t('common.panes.resize')}
                  valuePx={Math.round((width * tab.leftPercent) / 100)}
                  minPx={minPanePx}
                  maxPx={width - minPanePx}
                  part="start"
                  onResize={(px) => {
                    if (width > 0)
                      services.dispatch({ kind: 'resize-panes', leftPercent: (px / width) * 100 });
                  }}
                />
              ) : null}
              <DetailsSlot value={isActive ? slot : null}>
                <PaneView
                  pane={pane}
                  side={isPair ? (pane === left ? 'left' : 'right') : 'alone'}
                  isActive={isActive}
                  isRestored={props.isRestored}
                  isEditingPath={props.editingPath === pane.id}
                  areVersionsShown={props.versionsShown.has(pane.id)}
                  handle={props.handle}
                  services={services}
                />
              </DetailsSlot>
            </Fragment>
          );
        })}
      </Flex>
      {details.isOpen ? (
        <DetailsFrame
          details={details}
          isPair={isPair}
          end={isPair && !isLeftActive ? 'start' : 'end'}
          roomPx={isPair ? Math.max(minOverPx, otherPx) : width - visibleListPx}
          slot={setSlot}
        />
      ) : null}
    </Flex>
  );
}

/** A ref callback for the lists. Sets a CSS variable to the height below them, so that notices do not cover the transfers. */
function followContentBottom(lists: HTMLElement | null): (() => void) | undefined {
  if (lists === null) return undefined;
  const observer = new ResizeObserver(() => {
    const belowPx = Math.max(0, window.innerHeight - lists.getBoundingClientRect().bottom);
    document.documentElement.style.setProperty('--cooper-content-bottom', `${String(Math.round(belowPx))}px`);
  });
  observer.observe(lists);
  return () => observer.disconnect();
}
