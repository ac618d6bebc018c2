/** A service's refusal of a feature, of a part that is too large, or of one part too many. */
export interface StoredRefusal {
  /** When the service refused, in milliseconds since 1970. */
  readonly atMs: number;
  /** The limit that the refusal showed; null for a feature. */
  readonly limit: number | null;
}

/** Stores the refusals of one service over restarts. */
export interface RefusalStore {
  /** Returns the refusals that have not expired. */
  get(): Readonly<Record<string, StoredRefusal>>;
  put(name: string, refusal: StoredRefusal): void;
  remove(name: string): void;
}

/** A refusal expires after this time, because the service may have been upgraded since. */
export const refusalLifetimeMs = 7 * 24 * 3_600_000;

/** Keeps refusals for as long as the client lives. */
export function memoryRefusals(): RefusalStore {
  const refusals: Record<string, StoredRefusal> = {};
  return {
    get: () => refusals,
    put: (name, refusal) => void (refusals[name] = refusal),
    remove: (name) => void delete refusals[name],
  };
}

/** Returns the refusals that have not expired. One dated in the future, by a wrong clock, counts as expired. */
export function freshRefusals(
  refusals: Readonly<Record<string, StoredRefusal>>,
  nowMs: number,
): Readonly<Record<string, StoredRefusal>> {
  return Object.fromEntries(
    Object.entries(refusals).filter(([, { atMs }]) => atMs <= nowMs && nowMs - atMs < refusalLifetimeMs),
  );
}
