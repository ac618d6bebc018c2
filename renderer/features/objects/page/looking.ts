import { useEffect } from 'react';
import { create } from 'zustand';
import type { ListNumber } from '../rows/place.ts';

const useLooks = create<ReadonlySet<ListNumber>>()(() => new Set<ListNumber>());

/** Returns true if a preview is open next to this list, so that the window can make room for it. */
export function useIsQuickLookOpen(list: ListNumber): boolean {
  return useLooks((looks) => looks.has(list));
}

/** Registers an open preview of a list until it is closed. */
export function useReportQuickLook(list: ListNumber, isLooking: boolean): void {
  useEffect(() => {
    if (!isLooking) return undefined;
    useLooks.setState((looks) => new Set([...looks, list]), true);
    return () => {
      useLooks.setState((looks) => new Set([...looks].filter((listed) => listed !== list)), true);
    };
  }, [list, isLooking]);
}
