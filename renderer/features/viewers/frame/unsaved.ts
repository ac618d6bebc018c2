import { createContext, useContext, useEffect } from 'react';

export interface UnsavedGuard {
  /** Registers the function that discards unsaved changes. Takes null without unsaved changes. */
  readonly tell: (discard: (() => void) | null) => void;
  /** Runs an action that closes the editor: immediately, or after the user has agreed to discard the changes. */
  readonly leave: (go: () => void) => void;
}

const Guard = createContext<UnsavedGuard>({
  tell: () => undefined,
  leave: (go) => {
    go();
  },
});

/** Provides the guard that asks before unsaved changes are lost. */
export const UnsavedGuardProvider = Guard.Provider;

/** Reports unsaved changes to the guard; the browser asks before the user leaves the page. `discard` must be stable. */
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
