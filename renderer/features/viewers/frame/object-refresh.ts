import { createContext, useContext } from 'react';
import type { ViewedObject } from './viewer.ts';

const Refresh = createContext<ViewedObject['refresh'] | null>(null);

/** Provides the viewers inside, also those of archive entries, with a way to load the current version of the object. */
export const ObjectRefreshProvider = Refresh.Provider;

/** Returns null if there is no object to reload. */
export function useObjectRefresh(): ViewedObject['refresh'] | null {
  return useContext(Refresh);
}
