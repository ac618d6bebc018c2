import { useEffect } from 'react';
import { create } from 'zustand';
import type { AppError } from '../../../../shared/errors.ts';
import type { ListNumber } from '../rows/place.ts';

const useUnusable = create<ReadonlySet<ListNumber>>()(() => new Set<ListNumber>());

/** Returns true if the folder of this list could not be opened: nothing can be put into it. */
export function useIsUnusable(list: ListNumber): boolean {
  return useUnusable((lists) => lists.has(list));
}

/** Returns true if the folder cannot be written to either. A key that may not list a bucket may still write to it. */
function isUnusable(error: AppError | null): boolean {
  return error !== null && error.code !== 'access-denied';
}

/** Registers the failure of a list until the folder opens. */
export function useTellUnusable(list: ListNumber, error: AppError | null): void {
  const isNow = isUnusable(error);
  useEffect(() => {
    if (!isNow) return undefined;
    useUnusable.setState((lists) => new Set([...lists, list]), true);
    return () => {
      useUnusable.setState((lists) => new Set([...lists].filter((listed) => listed !== list)), true);
    };
  }, [list, isNow]);
}
