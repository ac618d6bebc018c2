import { useEffect, useState } from 'react';
import type { FolderModel } from './folder-model.ts';

/** Delay before the loading state shows. Most folders load faster, and it would only flicker. */
const patienceMs = 120;

interface Shown {
  /** The rows to draw: the folder's, or briefly those of the previous folder. */
  readonly shown: FolderModel | null;
  /** True if the rows are those of the previous folder: they are visible but inactive. */
  readonly isHeld: boolean;
}

/** Keeps the previous folder's rows on the screen while the next one's first page loads. */
export function usePatience(model: FolderModel | null, home: string, hasFailed: boolean): Shown {
  const [last, setLast] = useState(model);
  const [givenUp, setGivenUp] = useState<string | null>(null);
  if (model !== null && model !== last) setLast(model);
  const isHeld = model === null && !hasFailed && last !== null && last.count > 0 && givenUp !== home;
  const isWaiting = model === null && givenUp !== home;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => {
      setGivenUp(home);
      setLast(null);
    }, patienceMs);
    return () => {
      clearTimeout(timer);
    };
  }, [isWaiting, home]);
  return { shown: isHeld ? last : model, isHeld };
}
