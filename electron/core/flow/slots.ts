/** How many pieces of work may be under way at once. The limit may change while they are. */
export interface AtOnce {
  readonly limit: number;
  /** The limit never goes above this. */
  readonly most: number;
}

/** A limit that does not change. */
export function always(limit: number): AtOnce {
  return { limit, most: limit };
}

/** The measured number, but at least this one: for work whose requests cost the service little. */
export function atLeast(least: number, measured: AtOnce): AtOnce {
  return {
    get limit() {
      return Math.max(least, measured.limit);
    },
    most: Math.max(least, measured.most),
  };
}

/** As many as all of them allow. */
export function fewest(...all: readonly AtOnce[]): AtOnce {
  return {
    get limit() {
      return Math.min(...all.map(({ limit }) => limit));
    },
    most: Math.min(...all.map(({ most }) => most)),
  };
}

/** Runs work where there is room for it: at most so many at a time, in the order in which they came. */
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
