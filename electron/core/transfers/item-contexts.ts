import { createLimiter, type BandwidthLimiter } from '../flow/limits.ts';
import { PartScheduler } from '../flow/part-scheduler.ts';
import type { EffectContext } from '../jobs/job.ts';
import { Blocks } from './items/blocks.ts';
import type { ItemContext, TransferDeps } from './items/item-context.ts';
import type { ItemStore } from './items/item-store.ts';
import type { TransferEvent } from './items/transfer-transition.ts';
import { filesAtOnce } from './transfer-strategies.ts';

/** The limits and buffers shared by the items of one run of a job. */
export type SharedByItems = Pick<ItemContext, 'scheduler' | 'fileScheduler' | 'blocks'>;

interface ItemRun extends Pick<ItemContext, 'job' | 'client' | 'signal'> {
  readonly context: EffectContext<TransferEvent>;
  readonly parts: SharedByItems;
  readonly onBytes?: (bytes: number) => void;
  /** The number of items in the job, or the number listed so far. */
  readonly total?: number;
}

/** Successful requests are logged only for jobs with at most this many items. */
const fewItems = 50;

/** Creates the contexts in which items are processed. */
export class ItemContexts {
  readonly #deps: TransferDeps;
  readonly #items: ItemStore;
  readonly #limiter: BandwidthLimiter;

  constructor(deps: TransferDeps, items: ItemStore) {
    this.#deps = deps;
    this.#items = items;
    this.#limiter = createLimiter(deps.clock, () => deps.settings().bandwidthBytesPerSecond);
  }

  /** Creates the limits that the items of one run of a job share. */
  parts(): SharedByItems {
    const scheduler = new PartScheduler(() => this.#deps.settings().parallelParts);
    return {
      scheduler,
      fileScheduler: new PartScheduler(() => filesAtOnce),
      blocks: new Blocks(scheduler.limit, this.#deps.pieceBytes),
    };
  }

  of({ job, client, signal, context, parts, onBytes, total = job.counts.total }: ItemRun): ItemContext {
    const isFew = total <= fewItems;
    return {
      deps: this.#deps,
      items: this.#items,
      job,
      client,
      limiter: this.#limiter,
      ...parts,
      signal,
      waits: context.waits,
      onBytes: onBytes ?? (() => undefined),
      log: (attempt) => {
        if (isFew || attempt.error !== null) context.log(attempt);
      },
    };
  }
}
