import type { WaitingLink } from '../../../shared/models/links.ts';
import type { LinkedPlace } from './linked-place.ts';

export interface LinkTakerDeps {
  /** Removes the next link from the core's queue. Null if no link waits. */
  readonly take: () => Promise<WaitingLink | null>;
  /** Returns the location that a link opens without a question, or null. */
  readonly placeOf: (link: WaitingLink) => Promise<LinkedPlace | null>;
  readonly open: (place: LinkedPlace) => Promise<void>;
  readonly ask: (link: WaitingLink) => void;
  /** True while the user has not answered a question. Another question would replace it. */
  readonly isAsking: () => boolean;
}

/**
 * Takes links from the core's queue and opens them, or asks the user. A taken link is in no queue any longer, so the next link is
 * taken only after the last one was opened or its question was answered.
 */
export class LinkTaker {
  readonly #deps: LinkTakerDeps;
  #isTaking = false;
  #isRequested = false;

  constructor(deps: LinkTakerDeps) {
    this.#deps = deps;
  }

  /** Takes all waiting links, up to the first question. A call while links are taken makes that run check the queue again. */
  async takeWaiting(): Promise<void> {
    this.#isRequested = true;
    if (this.#isTaking) return;
    this.#isTaking = true;
    try {
      while (this.#isRequested && !this.#deps.isAsking()) {
        this.#isRequested = false;
        await this.#takeNext();
      }
    } finally {
      this.#isTaking = false;
    }
  }

  async #takeNext(): Promise<void> {
    const link = await this.#deps.take();
    if (link === null) return;
    this.#isRequested = true;
    const place = await this.#deps.placeOf(link);
    if (place === null) this.#deps.ask(link);
    else await this.#deps.open(place);
  }
}
