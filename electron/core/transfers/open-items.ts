import type { ItemStore } from './items/item-store.ts';
import type { TransferEvent } from './items/transfer-transition.ts';

/** Maximum number of items compared, because a job may have millions. */
const maxCompared = 200;

type OpenItems = Pick<TransferEvent & { readonly kind: 'pass-ended' }, 'failed' | 'asksOnlyHidden'>;

/** Returns why items of a job failed and what they ask, for the sentence that describes the job. */
export function openItems(items: Pick<ItemStore, 'inState'>, jobId: string): OpenItems {
  const failed = items.inState(jobId, 'failed', -1, maxCompared);
  const asking = items.inState(jobId, 'asking', -1, maxCompared);
  const causes = new Set(failed.map(({ error }) => error?.reason ?? error?.code));
  return {
    ...(failed.length === 0 ? {} : { failed: { error: failed[0]?.error ?? null, causes: causes.size } }),
    asksOnlyHidden: asking.length > 0 && asking.every(({ note }) => note === 'hidden-in-home'),
  };
}
