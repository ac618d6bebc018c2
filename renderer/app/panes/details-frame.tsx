import { Stack } from '@mantine/core';
import { X } from 'lucide-react';
import { type Ref, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMediaQuery } from '@mantine/hooks';
import { z } from 'zod/mini';
import { IconButton } from '../../ui/icon-button.tsx';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import { focusMainPane } from '../../ui/keyboard/panes.ts';
import { Splitter } from '../../ui/splitter.tsx';
import { useStable } from '../../ui/use-stable.ts';
import { type KeptView, useKeptView } from '../../rpc/use-kept-view.ts';
import type { PaneId } from '../places/navigation.ts';
import { type Layout, narrowWindow } from '../places/window-layout.ts';
import classes from './panes.module.css';

const minDetailsPx = 220;
const maxDetailsPx = 640;
const widthSchema = z.number().check(z.gte(minDetailsPx), z.lte(maxDetailsPx));
const usualDetailsPx = 300;
/** Minimum width of a list next to the details. */
const minListPx = 340;
/**
 * Minimum width for wide content, which is a list with a preview next to it, or a search. Below this width, the preview would
 * leave few rows (viewers.module.css), and the fields of a search would wrap.
 */
const minWidePx = 560;

/** Reads a media query in the first render. */
const atOnce = { getInitialValueInEffect: false } as const;

export interface Details {
  readonly isOpen: boolean;
  /** True if details do not fit next to the lists. They then overlay the content until they are closed. */
  readonly isOver: boolean;
  readonly widthPx: number;
  readonly setOpen: (open: boolean) => void;
  readonly resize: (widthPx: number) => void;
}

interface Needs {
  readonly tab: number;
  readonly pane: PaneId;
  readonly isPair: boolean;
  /** True if a pane shows a search, or a preview next to its list. */
  readonly isWide: boolean;
  /** Width of the sidebar next to the content, or 0 if it overlays the content or is closed. */
  readonly sidebarPx: number;
  readonly layout: KeptView<Layout>;
}

/**
 * Returns whether the details are shown, and where. Details over the content are shown only in the pane and tab in which they
 * were opened. Details that give way to wide content reappear when it closes, or when the user opens them.
 */
export function useDetails({ tab, pane, isPair, isWide, sidebarPx, layout }: Needs): Details {
  const width = useKeptView('details-width', widthSchema, usualDetailsPx);
  const roomFor = (panePx: number): string =>
    `(min-width: ${String(sidebarPx + (isPair ? 2 : 1) * panePx + width.value)}px)`;
  const hasRoom = useMediaQuery(roomFor(minListPx), true, atOnce);
  const hasRoomForWide = useMediaQuery(roomFor(minWidePx), true, atOnce);
  const isNarrow = useMediaQuery(narrowWindow, false, atOnce);
  const [openedIn, setOpenedIn] = useState<string | null>(null);
  const paneKey = isPair ? `${String(tab)}:${String(pane)}` : 'alone';
  const isBrief = isNarrow || !hasRoom;
  const areFolded = isWide && !hasRoomForWide && !isBrief;
  // True if the user opened the details although wide content takes their space. Reset when the wide content closes.
  const [isForcedOpen, setForcedOpen] = useState(false);
  if (isForcedOpen && !areFolded) setForcedOpen(false);
  const { detailsOpen } = layout.value;
  return {
    isOpen: isBrief ? openedIn === paneKey : detailsOpen && (!areFolded || isForcedOpen),
    isOver: !hasRoom,
    widthPx: width.value,
    setOpen: (open) => {
      if (isBrief) setOpenedIn(open ? paneKey : null);
      else {
        if (areFolded) setForcedOpen(open);
        if (open || !areFolded) layout.set({ ...layout.value, detailsOpen: open });
      }
    },
    resize: width.set,
  };
}

interface DetailsFrameProps {
  readonly details: Details;
  readonly isPair: boolean;
  /** The side of the window on which details overlay the content. It is the side of the inactive pane. */
  readonly end: 'start' | 'end';
  /** The maximum width of details that overlay the content. */
  readonly roomPx: number;
  /** The element into which the active pane renders its details. */
  readonly slot: Ref<HTMLDivElement>;
}

/**
 * Shows the details next to all lists or, in a narrow window, over the inactive pane. The active pane renders its details into
 * it. It stays empty on a page without details.
 */
export function DetailsFrame({ details, isPair, end, roomPx, slot }: DetailsFrameProps) {
  const { t } = useTranslation();
  const { isOver, widthPx } = details;
  const frame = useRef<HTMLDivElement>(null);
  const { close } = useStable({
    close: () => {
      details.setOpen(false);
      focusMainPane();
    },
  });
  useEffect(() => {
    const element = frame.current;
    if (!isOver || element === null) return undefined;
    // A native listener. The details are a portal, so their React events bubble to the page that renders them, not to this frame.
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      close();
    };
    element.addEventListener('keydown', press);
    return () => element.removeEventListener('keydown', press);
  }, [isOver, close]);
  const content = (
    <>
      <div ref={slot} className={joinClasses(common.fill, classes.detailsSlot)} />
      {isPair ? <p className={classes.noDetails}>{t('common.panes.noDetails')}</p> : null}
    </>
  );
  if (!isOver)
    return (
      <div className={classes.details} data-pair={isPair || undefined}>
        <Splitter
          label={t('common.shell.resizeDetails')}
          valuePx={widthPx}
          minPx={minDetailsPx}
          maxPx={maxDetailsPx}
          part="end"
          onResize={details.resize}
        />
        <Stack gap={0} mih={0} bg="var(--cooper-surface)" style={{ width: widthPx }}>
          {content}
        </Stack>
      </div>
    );
  return (
    <div ref={frame} className={classes.details} data-over={end} data-pair={isPair || undefined}>
      <Stack gap={0} mih={0} bg="var(--cooper-surface)" style={{ width: Math.min(widthPx, roomPx) }}>
        <div className={joinClasses(common.row, common.fixed, common.lineBelow, classes.detailsHead)}>
          <h2>{t('objects.details.label')}</h2>
          <IconButton size="sm" label={t('common.shell.hideDetails')} icon={X} iconPx={15} onClick={close} />
        </div>
        {content}
      </Stack>
    </div>
  );
}
