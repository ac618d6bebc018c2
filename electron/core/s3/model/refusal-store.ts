/**
 * A refusal by the service: of a feature, of a part that is too large, or of a part number that is too high. Also stores a
 * feature that the service accepts, if requests use it only once that is known.
 */
export interface StoredRefusal {
  /** The time of the response, in milliseconds since 1970. */
  readonly atMs: number;
  /** The limit that the response stated; null for a feature. */
  readonly limit: number | null;
  /** True if the service accepts the feature. */
  readonly isAccepted?: boolean | undefined;
}

/** Stores the refusals of one service, so that they are known after a restart. */
export interface RefusalStore {
  /** Returns the refusals that have not expired. */
  get(): Readonly<Record<string, StoredRefusal>>;
  put(name: string, refusal: StoredRefusal): void;
  remove(name: string): void;
}

/** The time after which a refusal expires, because the service may have been upgraded. */
export const refusalLifetimeMs = 7 * 24 * 3_600_000;

/** Returns a store that keeps refusals in memory only. */
export function memoryRefusals(): RefusalStore {
  const refusals: Record<string, StoredRefusal> = {};
  return {
    get: () => refusals,
    put: (name, refusal) => void (refusals[name] = refusal),
    remove: (name) => void delete refusals[name],
  };
}

/** Returns the refusals that have not expired. A time in the future, from a wrong clock, counts as expired. */
export function freshRefusals(
  refusals: Readonly<Record<string, StoredRefusal>>,
  nowMs: number,
): Readonly<Record<string, StoredRefusal>> {
  return Object.fromEntries(
    Object.entries(refusals).filter(([, { atMs }]) => atMs <= nowMs && nowMs - atMs < refusalLifetimeMs),
  );
}
