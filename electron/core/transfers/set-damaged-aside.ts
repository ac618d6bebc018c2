import { failedAttempt } from '../jobs/log-request.ts';
import type { EffectContext } from '../jobs/job.ts';
import { damagedRecord, damagedRows, setItemAside, type DamagedRow } from './items/damaged-items.ts';
import type { TransferDeps } from './items/item-context.ts';
import type { ItemStore } from './items/item-store.ts';
import { noCounts, transferJobSchema, type TransferJob } from './items/transfer-job.ts';
import type { Moved, TransferEvent } from './items/transfer-transition.ts';
import { noMove } from './pass.ts';

/** Replaces each damaged item of a job by a failed one, and reports how the counts of the job change. */
export async function setDamagedAside(
  { store, clock }: Pick<TransferDeps, 'store' | 'clock'>,
  items: ItemStore,
  job: TransferJob,
  context: EffectContext<TransferEvent>,
): Promise<void> {
  const rows: DamagedRow[] = [];
  for await (const row of damagedRows(store, job.id)) {
    context.signal.throwIfAborted();
    rows.push(row);
  }
  if (rows.length === 0) return;
  context.emit({ kind: 'items-moved', moved: movedBy(store, items, job.id, rows) }, () => {
    for (const row of rows) setItemAside(store, items, job, row, clock.nowMs());
  });
  for (const _ of rows) context.log(failedAttempt('read-record', null, damagedRecord));
}

/** Returns how the job's counts change if these damaged items become failed ones. The counts may not match the rows. */
function movedBy(
  store: TransferDeps['store'],
  items: ItemStore,
  jobId: string,
  rows: readonly DamagedRow[],
): Moved {
  const stored = store.load(jobId);
  const counts = stored === null ? noCounts : transferJobSchema.parse(JSON.parse(stored.data)).counts;
  const change = (state: 'done' | 'skipped' | 'failed' | 'asking'): number =>
    items.countOf(jobId, state) - rows.filter((row) => row.state === state).length - counts[state];
  return {
    ...noMove,
    done: change('done'),
    skipped: change('skipped'),
    failed: change('failed') + rows.length,
    asking: change('asking'),
  };
}
