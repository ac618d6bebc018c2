import { setImmediate } from 'node:timers/promises';
import { failure, type AppError } from '../../../../shared/errors.ts';
import type { JobStore } from '../../jobs/job-store.ts';
import type { ItemStore } from './item-store.ts';
import { type TransferJob, noCounts, transferJobSchema } from './transfer-job.ts';
import {
  itemSchema,
  newCopyItem,
  newDeletionItem,
  newDownloadItem,
  newStalledItem,
  newUploadItem,
  type Item,
} from './transfer-item.ts';
import { failedAttempt } from '../../jobs/log-request.ts';
import type { EffectContext } from '../../jobs/job.ts';
import type { TransferDeps } from './item-context.ts';
import { type CountChanges, type TransferEvent, noCountChanges } from './transfer-transition.ts';

/** A row whose item cannot be read or contradicts the row's columns. */
interface DamagedRow {
  readonly seq: number;
  /** The state in the row's column. */
  readonly state: string;
  readonly data: string;
}

const rowsPerSlice = 500;

/** Yields the damaged rows of a job. Lets other work run after each slice of rows. */
async function* damagedRows(store: JobStore, jobId: string): AsyncGenerator<DamagedRow> {
  let after = -1;
  for (;;) {
    const rows = store.all(
      `SELECT seq, state, note, due_ms, data FROM transfer_items WHERE job_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
      jobId,
      after,
      rowsPerSlice,
    );
    for (const row of rows)
      if (!isFit(row))
        yield { seq: Number(row['seq']), state: String(row['state']), data: String(row['data']) };
    const last = rows.at(-1);
    if (last === undefined) return;
    after = Number(last['seq']);
    await setImmediate();
  }
}

/** Moves the content of a damaged row to the table `set_aside`, and stores a failed item in its place. */
function setItemAside(
  store: JobStore,
  items: ItemStore,
  job: TransferJob,
  { seq, data }: DamagedRow,
  nowMs: number,
): void {
  store.run(
    `INSERT INTO set_aside (source, record_id, record, reason, at) VALUES ('transfer_items', ?, ?, ?, ?)`,
    `${job.id}/${seq}`,
    data,
    damagedRecord.message,
    new Date(nowMs).toISOString(),
  );
  items.put(job.id, failedItem(job.kind, seq, keyIn(data)));
}

/** Returns true if the item is the replacement of a damaged row. Such an item is never processed. */
export function isDamagedRecord({ error }: Pick<Item, 'error'>): boolean {
  return error?.reason === 'record-damaged';
}

export const damagedRecord: AppError = failure('storage', 'The record of this item was damaged.', {
  reason: 'record-damaged',
  retry: 'after-fix',
}).error;

function isFit(row: Record<string, unknown>): boolean {
  try {
    const item = itemSchema.parse(JSON.parse(String(row['data'])));
    return (
      item.seq === row['seq'] &&
      item.state === row['state'] &&
      item.note === row['note'] &&
      item.dueMs === row['due_ms']
    );
  } catch {
    return false;
  }
}

/** Finds a key in a damaged row, only to display it; '' if there is none. */
function keyIn(data: string): string {
  try {
    return String(JSON.parse(/"key":("(?:[^"\\]|\\.)*")/.exec(data)?.[1] ?? '""'));
  } catch {
    return '';
  }
}

function failedItem(kind: TransferJob['kind'], seq: number, key: string): Item {
  const known = { seq, key, kind: 'file', sizeBytes: null, state: 'failed', error: damagedRecord } as const;
  switch (kind) {
    case 'upload':
      return newUploadItem({ ...known, path: '' });
    case 'download':
      return newDownloadItem({ ...known, localName: key });
    case 'copy':
    case 'move':
    case 'change':
      return newCopyItem({ ...known, targetKey: key });
    case 'delete':
      return newDeletionItem(known);
    case 'abort-many':
    case 'complete-many':
    case 'resume-many':
      return newStalledItem({ ...known, bucket: '', uploadId: '' });
    default:
      return kind satisfies never;
  }
}

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
): CountChanges {
  const stored = store.load(jobId);
  const counts = stored === null ? noCounts : transferJobSchema.parse(JSON.parse(stored.data)).counts;
  const change = (state: 'done' | 'skipped' | 'failed' | 'asking'): number =>
    items.countOf(jobId, state) - rows.filter((row) => row.state === state).length - counts[state];
  return {
    ...noCountChanges,
    done: change('done'),
    skipped: change('skipped'),
    failed: change('failed') + rows.length,
    asking: change('asking'),
  };
}

/**
 * Deletes items whose job was never stored. Keeps the items of a job whose record is damaged or was moved to `job_broken`.
 * Reads all records once if there are orphans, and none otherwise.
 */
export function sweepOrphans(store: JobStore, items: ItemStore): void {
  const orphans = store.all(
    `WITH RECURSIVE ids (id) AS (
       SELECT min(job_id) FROM transfer_items
       UNION ALL
       SELECT (SELECT min(job_id) FROM transfer_items WHERE job_id > ids.id) FROM ids WHERE ids.id IS NOT NULL
     ),
     damaged (data) AS MATERIALIZED (
       SELECT data FROM jobs WHERE instr(data, '"id":"' || id || '"') = 0 UNION ALL SELECT data FROM job_broken
     )
     SELECT id FROM ids WHERE id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = ids.id)
       AND NOT EXISTS (SELECT 1 FROM job_broken AS b WHERE b.id = ids.id)
       AND NOT EXISTS (SELECT 1 FROM damaged AS d WHERE instr(d.data, ids.id) > 0)`,
  );
  for (const row of orphans) items.clear(String(row['id']));
}
