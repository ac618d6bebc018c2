import type { ItemStore } from './items/item-store.ts';
import type { TransferEvent } from './items/transfer-transition.ts';

/** The maximum number of items to read, because a job may have millions. */
const maxCompared = 200;

type OpenItems = Pick<TransferEvent & { readonly kind: 'pass-ended' }, 'failed' | 'asksOnlyHidden'>;

/** Returns the reasons why items of a job failed or wait for the user, as needed to describe the job. */
export function openItems(items: Pick<ItemStore, 'inState'>, jobId: string): OpenItems {
  const failed = items.inState(jobId, 'failed', -1, maxCompared);
  const asking = items.inState(jobId, 'asking', -1, maxCompared);
  const causes = new Set(failed.map(({ error }) => error?.reason ?? error?.code));
  return {
    ...(failed.length === 0 ? {} : { failed: { error: failed[0]?.error ?? null, causes: causes.size } }),
    asksOnlyHidden: asking.length > 0 && asking.every(({ note }) => note === 'hidden-in-home'),
  };
}
