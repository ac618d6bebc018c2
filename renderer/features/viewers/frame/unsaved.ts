import { createContext, useContext, useEffect } from 'react';

export interface UnsavedGuard {
  /** Discards the unsaved changes; null: there are none. */
  readonly tell: (discard: (() => void) | null) => void;
  /** Does something that ends the editor: at once, or when the user has let the changes go. */
  readonly leave: (go: () => void) => void;
}

const Guard = createContext<UnsavedGuard>({
  tell: () => undefined,
  leave: (go) => {
    go();
  },
});

/** The viewer's surroundings ask before unsaved changes are lost. */
export const UnsavedGuardProvider = Guard.Provider;

/** Tells the guard of unsaved changes while there are some; the browser asks before the page is left. `discard` must be stable. */
export function useUnsaved(isUnsaved: boolean, discard: () => void): UnsavedGuard['leave'] {
  const { tell, leave } = useContext(Guard);
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const ask = (event: BeforeUnloadEvent): void => {
      event.preventDefault();
    };
    tell(discard);
    window.addEventListener('beforeunload', ask);
    return () => {
      tell(null);
      window.removeEventListener('beforeunload', ask);
    };
  }, [isUnsaved, discard, tell]);
  return leave;
}
