import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { z } from 'zod/mini';
import { useKeptView, type KeptView } from '../../rpc/use-kept-view.ts';
import type { PaneId } from '../places/navigation.ts';
import { narrowWindow, type Layout } from '../places/window-layout.ts';

export const minDetailsPx = 220;
export const maxDetailsPx = 640;
const widthSchema = z.number().check(z.gte(minDetailsPx), z.lte(maxDetailsPx));
const usualDetailsPx = 300;
/** Minimum width of a list next to the details. */
const minListPx = 340;
/**
 * Minimum width for wide content, which is a list with a preview next to it, or a search. Below this width, the preview would
 * leave few rows (viewers.module.css), and the fields of a search would wrap.
 */
const minWidePx = 560;

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
  const listsPx = isPair ? minListPx * 2 : minListPx;
  const hasRoom = useMediaQuery(`(min-width: ${String(sidebarPx + listsPx + width.value)}px)`, true, {
    getInitialValueInEffect: false,
  });
  const widePx = isPair ? minWidePx * 2 : minWidePx;
  const hasRoomForWide = useMediaQuery(`(min-width: ${String(sidebarPx + widePx + width.value)}px)`, true, {
    getInitialValueInEffect: false,
  });
  const isNarrow = useMediaQuery(narrowWindow, false, { getInitialValueInEffect: false });
  const [openedIn, setOpenedIn] = useState<string | null>(null);
  const here = isPair ? `${String(tab)}:${String(pane)}` : 'alone';
  const isBrief = isNarrow || !hasRoom;
  const areFolded = isWide && !hasRoomForWide && !isBrief;
  // True if the user opened the details although wide content takes their space. Reset when the wide content closes.
  const [areAsked, setAsked] = useState(false);
  if (areAsked && !areFolded) setAsked(false);
  const { detailsOpen } = layout.value;
  return {
    isOpen: isBrief ? openedIn === here : detailsOpen && (!areFolded || areAsked),
    isOver: !hasRoom,
    widthPx: width.value,
    setOpen: (open) => {
      if (isBrief) setOpenedIn(open ? here : null);
      else {
        if (areFolded) setAsked(open);
        if (open || !areFolded) layout.set({ ...layout.value, detailsOpen: open });
      }
    },
    resize: width.set,
  };
}
