import { useEffect, useLayoutEffect, useState } from 'react';
import { createStore } from 'zustand/vanilla';
import type { FolderModel } from './folder-model.ts';

/** Delay in milliseconds before the loading state shows. It would only flicker, since most folders load faster. */
const patienceMs = 120;

interface Shown {
  /** The rows to draw: the folder's rows, or briefly the rows of the previous folder. */
  readonly shown: FolderModel | null;
  /** True if the rows belong to the previous folder. They are visible but inactive. */
  readonly isHeld: boolean;
}

/** Keeps the previous folder's rows on the screen while the first page of the next folder loads. */
export function usePreviousRows(model: FolderModel | null, home: string, hasFailed: boolean): Shown {
  // A store, since setting a React state while rendering would render the folder twice.
  const [last] = useState(() => createStore<{ readonly model: FolderModel | null }>(() => ({ model })));
  const [givenUp, setGivenUp] = useState<string | null>(null);
  useLayoutEffect(() => {
    if (model !== null) last.setState({ model });
  }, [last, model]);
  const held = model === null && !hasFailed && givenUp !== home ? last.getState().model : null;
  const isHeld = held !== null && held.count > 0;
  const isWaiting = model === null && givenUp !== home;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => {
      last.setState({ model: null });
      setGivenUp(home);
    }, patienceMs);
    return () => {
      clearTimeout(timer);
    };
  }, [isWaiting, home, last]);
  return { shown: isHeld ? held : model, isHeld };
}
