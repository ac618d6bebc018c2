import { useEffect } from 'react';
import { create } from 'zustand';
import type { AppError } from '../../../../shared/errors.ts';
import type { ListNumber } from '../rows/place.ts';

const useUnusable = create<ReadonlySet<ListNumber>>()(() => new Set<ListNumber>());

/** Returns true if the folder in this list could not be opened, so that users cannot upload or paste into it. */
export function useIsUnusable(list: ListNumber): boolean {
  return useUnusable((lists) => lists.has(list));
}

/** Returns true for an error that also prevents writing. An access key without permission to list may still be able to write. */
function isUnusable(error: AppError | null): boolean {
  return error !== null && error.code !== 'access-denied';
}

/** Registers that the folder in this list cannot be used, until it opens. */
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
