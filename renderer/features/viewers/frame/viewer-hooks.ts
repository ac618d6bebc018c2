import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useId } from 'react';
import type { ViewedFile, ViewedObject } from './viewer.ts';
import type { RangeSource } from './range-source.ts';

const Refresh = createContext<ViewedObject['refresh'] | null>(null);

/** Provides all viewers of an object, including those of archive entries, with a function that loads its current version. */
export const ObjectRefreshProvider = Refresh.Provider;

/** Returns the function that reloads the object, or null if the content is not an object. */
export function useObjectRefresh(): ViewedObject['refresh'] | null {
  return useContext(Refresh);
}

export interface UnsavedGuard {
  /** Registers the function that discards unsaved changes. Takes null without unsaved changes. */
  readonly register: (discard: (() => void) | null) => void;
  /** Runs an action that closes the editor: immediately, or after the user has agreed to discard the changes. */
  readonly leave: (go: () => void) => void;
}

const Guard = createContext<UnsavedGuard>({ register: () => undefined, leave: (go) => go() });

/** Provides the guard that asks before unsaved changes are lost. */
export const UnsavedGuardProvider = Guard.Provider;

/** Reports unsaved changes to the guard; the browser asks before the user leaves the page. `discard` must be stable. */
export function useUnsaved(isUnsaved: boolean, discard: () => void): UnsavedGuard['leave'] {
  const { register, leave } = useContext(Guard);
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    register(discard);
    window.addEventListener('beforeunload', ask);
    return () => {
      register(null);
      window.removeEventListener('beforeunload', ask);
    };
  }, [isUnsaved, discard, register]);
  return leave;
}

export interface FileViewProps {
  readonly file: ViewedFile;
  /** Saves the nested file. Null if it cannot be saved separately. */
  readonly onDownload: (() => void) | null;
}

const NestedView = createContext<((props: FileViewProps) => ReactNode) | null>(null);

/** Provides the component that renders a file nested in another one. */
export const NestedViewProvider = NestedView.Provider;

/**
 * Returns the component that renders a file in the matching viewer. Viewers cannot import the registry, which imports all
 * viewers.
 */
export function useNestedView(): (props: FileViewProps) => ReactNode {
  const found = useContext(NestedView);
  if (found === null) throw new Error('A viewer is rendered outside of FileView.');
  return found;
}

/**
 * Reads content once, and keeps it while the viewer is shown. Reads again if one of the `parts`, on which the content depends,
 * has changed.
 */
export function useRead<T>(
  read: (signal: AbortSignal) => Promise<T>,
  parts: readonly unknown[] = [],
  isEnabled = true,
) {
  const id = useId();
  return useQuery({
    queryKey: ['viewer', id, ...parts],
    queryFn: async ({ signal }) => await read(signal),
    enabled: isEnabled,
    staleTime: Infinity,
    gcTime: 0,
    structuralSharing: false,
    meta: { keepAfterReconnect: true },
  });
}

/** Reads a whole file, or its first bytes, for viewers that cannot read by ranges. */
export function useWhole(source: RangeSource, maxBytes: number = source.sizeBytes) {
  return useRead(
    async (signal) => await source.read(0, Math.min(maxBytes, source.sizeBytes), signal),
    [maxBytes],
  );
}
