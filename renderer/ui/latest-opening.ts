import { useEffect, useState } from 'react';

/** Opens something in the core, of which only the last request counts. The core keeps it until it is closed. */
export class LatestOpening {
  readonly #close: (id: string) => void;
  #latest: symbol | null = null;

  /** `close` must not throw. */
  constructor(close: (id: string) => void) {
    this.#close = close;
  }

  /**
   * Returns the id that `request` gets from the core. Returns null if another request or `drop` came before the reply; what was
   * opened is closed then, and an error is ignored.
   */
  async open(request: () => Promise<string>): Promise<string | null> {
    const opening = Symbol('opening');
    this.#latest = opening;
    try {
      const id = await request();
      if (this.#latest === opening) return id;
      this.#close(id);
    } catch (thrown) {
      if (this.#latest === opening) throw thrown;
    }
    return null;
  }

  /** Discards the pending request, because its dialog or page is gone. */
  drop(): void {
    this.#latest = null;
  }
}

/**
 * Returns the opening of a component, which is dropped when the component unmounts, or when `page` changes because the user went
 * elsewhere.
 */
export function useLatestOpening(close: (id: string) => void, page = ''): LatestOpening {
  const [opening] = useState(() => new LatestOpening(close));
  useEffect(() => {
    return () => opening.drop();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- re-run for each page
  }, [opening, page]);
  return opening;
}
