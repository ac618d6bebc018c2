import type { MapStatus } from '../../../shared/models/map.ts';
import { appErrorOf } from '../../rpc/errors.ts';

/** `old` lists all keys again only if the catalogue is old and small; `always` lists them in any case. */
export type MapRefresh = 'old' | 'always';

export interface MapCalls {
  readonly open: (refresh: MapRefresh) => Promise<{ readonly mapId: string }>;
  readonly watch: (mapId: string) => Promise<AsyncIterable<MapStatus>>;
  /** Resolves after the delay in milliseconds, or when the signal aborts. */
  readonly wait: (delayMs: number) => Promise<void>;
  readonly nowMs: () => number;
}

/** A map that was open for longer than this is opened again at once. It is longer than the longest delay. */
const longLifeMs = 60_000;
const firstDelayMs = 1000;
const longestDelayMs = 30_000;

/**
 * Opens a map and reports its statuses until the signal aborts. The core closes maps to free memory for others, and when their
 * connection changes. A closed map is opened again from its catalogue, after growing delays if it is closed again soon.
 */
export async function followMap(
  calls: MapCalls,
  firstRefresh: MapRefresh,
  signal: AbortSignal,
  onStatus: (status: MapStatus) => void,
): Promise<void> {
  let shortLives = 0;
  for (let refresh = firstRefresh; !signal.aborted; refresh = 'old') {
    const openedMs = calls.nowMs();
    const { mapId } = await calls.open(refresh);
    try {
      for await (const status of await calls.watch(mapId)) if (!signal.aborted) onStatus(status);
    } catch (thrown) {
      if (appErrorOf(thrown).reason !== 'map-gone') throw thrown;
    }
    shortLives = calls.nowMs() - openedMs > longLifeMs ? 0 : shortLives + 1;
    if (shortLives > 1 && !signal.aborted)
      await calls.wait(Math.min(longestDelayMs, firstDelayMs * 2 ** (shortLives - 2)));
  }
}

/** A click on Refresh at a place; at null, the place was not refreshed by a click. */
export class RefreshClick {
  readonly #place: string | null;
  #isTaken = false;

  constructor(place: string | null) {
    this.#place = place;
  }

  /** Returns `always` on the first call if the click was at this place, otherwise `old`. */
  take(place: string): MapRefresh {
    const refresh = !this.#isTaken && this.#place === place ? 'always' : 'old';
    this.#isTaken = true;
    return refresh;
  }
}
