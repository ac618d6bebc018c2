import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { z } from 'zod/mini';
import { useKeptView, type KeptView } from '../../rpc/use-kept-view.ts';
import type { PaneId } from '../places/navigation.ts';
import { narrowWindow, type Layout } from '../places/window-layout.ts';

export const leastDetailsPx = 220;
export const mostDetailsPx = 640;
const widthSchema = z.number().check(z.gte(leastDetailsPx), z.lte(mostDetailsPx));
const usualDetailsPx = 300;
/** A list beside the details is at least this wide. */
const leastListPx = 340;
/** A list and a look beside it: in less, the look lies below and leaves few rows (look.module.css). */
const leastLookPx = 560;

export interface Details {
  readonly isOpen: boolean;
  /** There is no room beside the lists: they lie over what is not being used, until they are closed. */
  readonly isOver: boolean;
  readonly widthPx: number;
  readonly setOpen: (open: boolean) => void;
  readonly resize: (widthPx: number) => void;
}

interface Needs {
  readonly tab: number;
  readonly pane: PaneId;
  readonly isPair: boolean;
  /** A look is open beside the list of this pane. */
  readonly isLooking: boolean;
  /** What is beside the window's content. */
  readonly sidebarPx: number;
  readonly layout: KeptView<Layout>;
}

/**
 * Whether the details are shown, and where. Where they have no lasting room they are for the pane and tab they were opened in.
 * Where a look needs their room they come back after it, or when they are asked for.
 */
export function useDetails({ tab, pane, isPair, isLooking, sidebarPx, layout }: Needs): Details {
  const width = useKeptView('details-width', widthSchema, usualDetailsPx);
  const listsPx = isPair ? leastListPx * 2 : leastListPx;
  const hasRoom = useMediaQuery(`(min-width: ${String(sidebarPx + listsPx + width.value)}px)`, true, {
    getInitialValueInEffect: false,
  });
  const lookPx = isPair ? leastLookPx * 2 : leastLookPx;
  const hasRoomForLook = useMediaQuery(`(min-width: ${String(sidebarPx + lookPx + width.value)}px)`, true, {
    getInitialValueInEffect: false,
  });
  const isNarrow = useMediaQuery(narrowWindow, false, { getInitialValueInEffect: false });
  const [openedIn, setOpenedIn] = useState<string | null>(null);
  const here = isPair ? `${String(tab)}:${String(pane)}` : 'alone';
  const isBrief = isNarrow || !hasRoom;
  const areFolded = isLooking && !hasRoomForLook && !isBrief;
  // For this look alone.
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
