import { createContext, useContext } from 'react';
import type { ViewedObject } from './viewer.ts';

const Refresh = createContext<ViewedObject['refresh'] | null>(null);

/** Provides all viewers of an object, including those of archive entries, with a function that loads its current version. */
export const ObjectRefreshProvider = Refresh.Provider;

/** Returns the function that reloads the object, or null if the content is not an object. */
export function useObjectRefresh(): ViewedObject['refresh'] | null {
  return useContext(Refresh);
}
