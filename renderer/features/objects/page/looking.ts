import { useEffect } from 'react';
import { create } from 'zustand';
import type { ListNumber } from '../rows/place.ts';

const useLooks = create<ReadonlySet<ListNumber>>()(() => new Set<ListNumber>());

/** Whether a look is open beside this list: the window makes room for it. */
export function useIsLooking(list: ListNumber): boolean {
  return useLooks((looks) => looks.has(list));
}

/** Tells the window that a look is open beside a list, until it is closed. */
export function useTellLook(list: ListNumber, isLooking: boolean): void {
  useEffect(() => {
    if (!isLooking) return undefined;
    useLooks.setState((looks) => new Set([...looks, list]), true);
    return () => {
      useLooks.setState((looks) => new Set([...looks].filter((one) => one !== list)), true);
    };
  }, [list, isLooking]);
}
