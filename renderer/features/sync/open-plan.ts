/** The plan that a dialog has open in the core, at most one. The core keeps a plan until it is closed. */
export class OpenPlan {
  readonly #close: (planId: string) => void;
  #planId: string | null = null;
  #making: symbol | null = null;

  constructor(close: (planId: string) => void) {
    this.#close = close;
  }

  /**
   * Drops the open plan and opens a new one. Returns its id, or null if it was dropped before the core replied; it is closed then.
   */
  async open(make: () => Promise<{ readonly planId: string }>): Promise<string | null> {
    this.drop();
    const making = Symbol('making');
    this.#making = making;
    const { planId } = await make();
    if (this.#making !== making) {
      this.#close(planId);
      return null;
    }
    this.#planId = planId;
    return planId;
  }

  /** Closes the open plan, and also a requested plan as soon as the core replies. */
  drop(): void {
    const planId = this.#planId;
    this.#planId = null;
    this.#making = null;
    if (planId !== null) this.#close(planId);
  }
}
