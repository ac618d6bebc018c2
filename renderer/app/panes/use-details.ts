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
  /** What is beside the window's content. */
  readonly sidebarPx: number;
  readonly layout: KeptView<Layout>;
}

/** Whether the details are shown, and where. Where they have no lasting room they are for the pane and tab they were opened in. */
export function useDetails({ tab, pane, isPair, sidebarPx, layout }: Needs): Details {
  const width = useKeptView('details-width', widthSchema, usualDetailsPx);
  const listsPx = isPair ? leastListPx * 2 : leastListPx;
  const hasRoom = useMediaQuery(`(min-width: ${String(sidebarPx + listsPx + width.value)}px)`, true, {
    getInitialValueInEffect: false,
  });
  const isNarrow = useMediaQuery(narrowWindow, false, { getInitialValueInEffect: false });
  const [openedIn, setOpenedIn] = useState<string | null>(null);
  const here = isPair ? `${String(tab)}:${String(pane)}` : 'alone';
  const isBrief = isNarrow || !hasRoom;
  return {
    isOpen: isBrief ? openedIn === here : layout.value.detailsOpen,
    isOver: !hasRoom,
    widthPx: width.value,
    setOpen: (open) => {
      if (isBrief) setOpenedIn(open ? here : null);
      else layout.set({ ...layout.value, detailsOpen: open });
    },
    resize: width.set,
  };
}
