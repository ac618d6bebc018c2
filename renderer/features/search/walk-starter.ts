/** Starts the walks (listings) of a search page, of which only the last one counts. The core keeps a walk until it is closed. */
export class WalkStarter {
  readonly #close: (walkId: string) => void;
  #starting: symbol | null = null;

  constructor(close: (walkId: string) => void) {
    this.#close = close;
  }

  /**
   * Starts a walk and returns its id. Returns null if another start or `drop` came before the reply; the walk is closed then, and
   * an error is ignored.
   */
  async start(begin: () => Promise<{ readonly walkId: string }>): Promise<string | null> {
    const starting = Symbol('starting');
    this.#starting = starting;
    try {
      const { walkId } = await begin();
      if (this.#starting === starting) return walkId;
      this.#close(walkId);
    } catch (thrown) {
      if (this.#starting === starting) throw thrown;
    }
    return null;
  }

  /** Discards the walk that is being started, since its page is gone. */
  drop(): void {
    this.#starting = null;
  }
}
