import { createContext, useContext } from 'react';
import type { ViewedObject } from './viewer.ts';

const Refresh = createContext<ViewedObject['refresh'] | null>(null);

/** Gives all viewers inside the way to the current version of the object, also those of entries in archives. */
export const ObjectRefreshProvider = Refresh.Provider;

/** null: there is no object to ask for again. */
export function useObjectRefresh(): ViewedObject['refresh'] | null {
  return useContext(Refresh);
}
