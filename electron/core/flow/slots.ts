/** A limit of work in flight. It may change meanwhile. */
export interface AtOnce {
  readonly limit: number;
  /** Upper bound of the limit. */
  readonly most: number;
}

/** Returns a constant limit. */
export function always(limit: number): AtOnce {
  return { limit, most: limit };
}

/** Returns the measured limit, but at least `least`: for requests that cost the service little. */
export function atLeast(least: number, measured: AtOnce): AtOnce {
  return {
    get limit() {
      return Math.max(least, measured.limit);
    },
    most: Math.max(least, measured.most),
  };
}

/** Returns the smallest of the limits. */
export function fewest(...all: readonly AtOnce[]): AtOnce {
  return {
    get limit() {
      return Math.min(...all.map(({ limit }) => limit));
    },
    most: Math.min(...all.map(({ most }) => most)),
  };
}

/** Runs work in the order of the calls, within a limit. */
export type Slots = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/**
 * Limits how much work runs at once. Work aborted while queued is not started. A raised limit takes effect as running work ends.
 */
export function slots(atOnce: AtOnce): Slots {
  let underWay = 0;
  const waiting: (() => void)[] = [];
  const beginNext = (): void => {
    while (underWay < atOnce.limit) {
      const next = waiting.shift();
      if (next === undefined) return;
      underWay += 1;
      next();
    }
  };
  return async (signal, work) => {
    if (underWay < atOnce.limit) underWay += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      underWay -= 1;
      beginNext();
    }
  };
}
