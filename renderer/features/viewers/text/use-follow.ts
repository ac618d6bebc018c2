import { useEffect, useState } from 'react';
import { appErrorOf } from '../../../rpc/errors.ts';
import type { AppError } from '../../../../shared/errors.ts';
import type { ViewedFile } from '../frame/viewer.ts';

/** Milliseconds between checks whether a followed text has grown. Each check is one request. */
const checkIntervalMs = 4000;
const memoryKey = 'text-follow';

/** Returns the switch for following the end of a growing text. The choice stays when a new version replaces the object. */
export function useFollow({ object }: ViewedFile) {
  const [isOn, setOn] = useState(() => object?.memory.get(memoryKey) === true);
  const [error, setError] = useState<AppError | null>(null);
  useEffect(() => {
    if (!isOn || object === null) return undefined;
    let timer = 0;
    let isOver = false;
    const checkGrowth = async (): Promise<void> => {
      try {
        await object.refresh();
        setError(null);
      } catch (thrown) {
        if (!isOver) setError(appErrorOf(thrown));
      }
      if (!isOver) timer = window.setTimeout(() => void checkGrowth(), checkIntervalMs);
    };
    timer = window.setTimeout(() => void checkGrowth(), checkIntervalMs);
    return () => {
      isOver = true;
      window.clearTimeout(timer);
    };
  }, [isOn, object]);
  const follow =
    object === null
      ? null
      : {
          isOn,
          onChange: (next: boolean) => {
            object.memory.set(memoryKey, next);
            setError(null);
            setOn(next);
          },
        };
  return { follow, error };
}
