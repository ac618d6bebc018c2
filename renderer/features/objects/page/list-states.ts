import { useEffect } from 'react';
import { create } from 'zustand';
import type { AppError } from '../../../../shared/errors.ts';
import type { ListNumber } from '../rows/place.ts';

/** Creates a state that a list is in while one of its components reports it. */
function createListState() {
  const useLists = create<ReadonlySet<ListNumber>>()(() => new Set<ListNumber>());
  return {
    useIs: (list: ListNumber): boolean => useLists((lists) => lists.has(list)),
    useIsAny: (): boolean => useLists((lists) => lists.size > 0),
    useReport: (list: ListNumber, isNow: boolean): void => {
      useEffect(() => {
        if (!isNow) return undefined;
        useLists.setState((lists) => new Set([...lists, list]), true);
        return () =>
          useLists.setState((lists) => new Set([...lists].filter((listed) => listed !== list)), true);
      }, [list, isNow]);
    },
  };
}

const unusable = createListState();
const looking = createListState();

/** Returns true if the folder in this list could not be opened, so that users cannot upload or paste into it. */
export const useIsUnusable = unusable.useIs;

/**
 * Registers that the folder in this list cannot be used, until it opens. An access key without permission to list may still be
 * able to write.
 */
export function useTellUnusable(list: ListNumber, error: AppError | null): void {
  unusable.useReport(list, error !== null && error.code !== 'access-denied');
}

/** Returns true if a preview is open next to a visible list, so that the window can make room for it. */
export const useIsQuickLookOpen = looking.useIsAny;

/** Registers an open preview of a list until it is closed. */
export const useReportQuickLook = looking.useReport;
