/** Runs work where there is room for it: at most so many at a time, in the order in which they came. */
export type Slots = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** Work whose signal was aborted while it waited is not begun. */
export function slots(limit: number): Slots {
  let free = limit;
  const waiting: (() => void)[] = [];
  return async (signal, work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      // The next one takes over this slot.
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
