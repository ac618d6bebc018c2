import type { SQLInputValue } from 'node:sqlite';
import { hiddenNotes, type ItemFilter } from '../../../../shared/models/transfers.ts';
import type { JobStore } from '../../jobs/job-store.ts';
import { begunBytes } from './piece-bits.ts';
import { itemSchema, type Item } from './transfer-item.ts';

export interface FoldedItem {
  readonly fold: string;
  readonly item: Item;
}

/** Stores the items of transfer jobs, each in a separate row. */
export class ItemStore {
  readonly #store: JobStore;

  constructor(store: JobStore) {
    this.#store = store;
  }

  put(jobId: string, item: Item, fold: string | null = null): void {
    this.#store.run(
      `INSERT INTO transfer_items (job_id, seq, state, note, due_ms, size_bytes, begun_bytes, fold, data)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (job_id, seq) DO UPDATE SET state = excluded.state, note = excluded.note,
         due_ms = excluded.due_ms, size_bytes = excluded.size_bytes, begun_bytes = excluded.begun_bytes, fold = coalesce(excluded.fold, fold),
         data = excluded.data`,
      jobId,
      item.seq,
      item.state,
      item.note,
      item.dueMs,
      item.sizeBytes,
      begunBytes(item),
      fold,
      JSON.stringify(item),
    );
  }

  get(jobId: string, seq: number): Item | null {
    return this.#items(`WHERE job_id = ? AND seq = ?`, jobId, seq)[0] ?? null;
  }

  /** Returns how many bytes of unsettled items are stored, by sequence number. Items that have not begun are left out. */
  begunBytes(jobId: string): ReadonlyMap<number, number> {
    const rows = this.#store.all(
      `SELECT seq, begun_bytes FROM transfer_items INDEXED BY transfer_items_by_begun
       WHERE job_id = ? AND begun_bytes IS NOT NULL`,
      jobId,
    );
    return new Map(rows.map((row) => [Number(row['seq']), Number(row['begun_bytes'])]));
  }

  /**
   * Returns the id of another unfinished job of many uploads that may have completed this upload or will process it first; null
   * if there is none.
   */
  holderOf(lockKey: string, exceptJobId: string | null): string | null {
    const row = this.#store.get(
      `SELECT j.id FROM jobs AS j INDEXED BY jobs_of_uploads
       CROSS JOIN transfer_items AS i INDEXED BY transfer_items_by_fold ON i.job_id = j.id AND i.fold = ?
       WHERE j.kind IN ('abort-many', 'complete-many', 'resume-many') AND j.state NOT IN ('done', 'cancelled') AND j.id <> ?
         AND ((i.state = 'todo' AND j.seq < coalesce((SELECT seq FROM jobs WHERE id = ?), j.seq + 1))
           OR (i.state IN ('todo', 'failed') AND json_extract(i.data, '$.upload.completion') IS NOT NULL))
       LIMIT 1`,
      lockKey,
      exceptJobId ?? '',
      exceptJobId ?? '',
    );
    return row === undefined ? null : String(row['id']);
  }

  /** Returns items that are due now, after a sequence number. */
  due(jobId: string, nowMs: number, afterSeq: number, limit: number): readonly Item[] {
    const clauses = `WHERE job_id = ? AND state = 'todo' AND seq > ? AND due_ms <= ? ORDER BY seq LIMIT ?`;
    return this.#items(clauses, jobId, afterSeq, nowMs, limit);
  }

  /** Returns the time at which the next item is due; null if no item is left to process. */
  nextDueMs(jobId: string): number | null {
    const earliestMs = this.#store.get(
      `SELECT min(due_ms) AS due FROM transfer_items WHERE job_id = ? AND state = 'todo'`,
      jobId,
    )?.['due'];
    return typeof earliestMs === 'number' ? earliestMs : null;
  }

  count(jobId: string): number {
    return this.#count(`job_id = ?`, jobId);
  }

  countOf(jobId: string, state: Item['state']): number {
    return this.#count(`job_id = ? AND state = ?`, jobId, state);
  }

  /** Returns items in any state, after a sequence number. */
  after(jobId: string, afterSeq: number, limit: number): readonly Item[] {
    return this.#items(`WHERE job_id = ? AND seq > ? ORDER BY seq LIMIT ?`, jobId, afterSeq, limit);
  }

  inState(jobId: string, state: Item['state'], afterSeq: number, limit: number): readonly Item[] {
    const clauses = `WHERE job_id = ? AND state = ? AND seq > ? ORDER BY seq LIMIT ?`;
    return this.#items(clauses, jobId, state, afterSeq, limit);
  }

  /** Yields the items in a state a page at a time, in order. */
  pagesInState(jobId: string, state: Item['state'], pageItems: number): Generator<readonly Item[]> {
    return itemPages((after) => this.inState(jobId, state, after, pageItems));
  }

  list(
    jobId: string,
    filter: ItemFilter,
    offset: number,
    limit: number,
  ): { readonly items: readonly Item[]; readonly total: number } {
    const { where, values } = whereOf(jobId, filter);
    const items = this.#items(`WHERE ${where} ORDER BY seq LIMIT ? OFFSET ?`, ...values, limit, offset);
    return { items, total: this.#count(where, ...values) };
  }

  ofFold(jobId: string, fold: string): Item | null {
    // Without the index hint, SQLite reads all items of the job.
    const clauses = `INDEXED BY transfer_items_by_fold WHERE job_id = ? AND fold = ? LIMIT 1`;
    return this.#items(clauses, jobId, fold)[0] ?? null;
  }

  /** Returns true if the job has an item below this folder. The range of keys ends at `0`, the next character after `/`. */
  hasBelow(jobId: string, fold: string): boolean {
    const query = `SELECT 1 AS one FROM transfer_items WHERE job_id = ? AND fold > ? AND fold < ? LIMIT 1`;
    return this.#store.get(query, jobId, `${fold}/`, `${fold}0`) !== undefined;
  }

  /** Returns items whose folded names start with this text, in the order of these names. */
  withFolds(jobId: string, start: string, afterFold: string, limit: number): readonly FoldedItem[] {
    return this.#store
      .all(
        `SELECT fold, data FROM transfer_items INDEXED BY transfer_items_by_fold
         WHERE job_id = ? AND fold > ? AND fold < ? ORDER BY fold LIMIT ?`,
        jobId,
        afterFold,
        `${start.slice(0, -1)}${String.fromCodePoint((start.codePointAt(start.length - 1) ?? 0) + 1)}`,
        limit,
      )
      .flatMap((row) => itemsOfRow(row).map((item) => ({ fold: String(row['fold']), item })));
  }

  /** Returns unfinished downloads in pieces, which may have partial files. */
  begun(jobId: string): readonly Item[] {
    return this.#items(`WHERE job_id = ? AND state != 'done' AND data LIKE '%"pieces":{%'`, jobId);
  }

  /** Returns uploads and downloads that have started and not ended. Only these have `begun_bytes`. */
  inProgress(jobId: string, afterSeq: number, limit: number): readonly Item[] {
    return this.#items(
      `INDEXED BY transfer_items_by_begun
         WHERE job_id = ? AND seq > ? AND begun_bytes IS NOT NULL ORDER BY seq LIMIT ?`,
      jobId,
      afterSeq,
      limit,
    );
  }

  /** Returns unsettled items whose copy has begun. */
  withCopy(jobId: string, afterSeq: number, limit: number): readonly Item[] {
    return this.#items(
      `WHERE job_id = ? AND seq > ?
         AND state IN ('todo', 'held', 'failed', 'asking') AND json_extract(data, '$.copy') IS NOT NULL
         ORDER BY seq LIMIT ?`,
      jobId,
      afterSeq,
      limit,
    );
  }

  /** Makes the held items of a job due. Returns their number. */
  release(jobId: string): number {
    return this.#store.transaction(() =>
      this.#store.run(
        `UPDATE transfer_items SET state = 'todo', due_ms = 0,
           data = json_set(data, '$.state', 'todo', '$.dueMs', 0)
         WHERE job_id = ? AND state = 'held'`,
        jobId,
      ),
    );
  }

  /** Makes all postponed items of a job due now. */
  hurry(jobId: string): void {
    this.#store.run(
      `UPDATE transfer_items SET due_ms = 0, data = json_set(data, '$.dueMs', 0)
       WHERE job_id = ? AND state = 'todo' AND due_ms > 0`,
      jobId,
    );
  }

  /** Deletes some items of a job, or its other rows if no item is left. Returns true if items are left. */
  clearSome(jobId: string): boolean {
    const removed = this.#store.run(
      `DELETE FROM transfer_items WHERE job_id = ? AND seq IN
         (SELECT seq FROM transfer_items WHERE job_id = ? ORDER BY seq LIMIT ?)`,
      jobId,
      jobId,
      clearedAtOnce,
    );
    if (removed === clearedAtOnce) return true;
    this.clear(jobId);
    return false;
  }

  /** Returns the ids of the jobs that have items which are neither done nor skipped. */
  withUnsettled(jobIds: readonly string[]): ReadonlySet<string> {
    const rows = this.#store.all(
      `SELECT value AS id FROM json_each(?) WHERE EXISTS (SELECT 1 FROM transfer_items
         WHERE job_id = value AND state IN ('todo', 'held', 'failed', 'asking'))`,
      JSON.stringify(jobIds),
    );
    return new Set(rows.map(({ id }) => String(id)));
  }

  /**
   * Deletes the items of several small jobs, at most as many as fit into one slice. Returns the ids of the jobs whose items were
   * deleted.
   */
  clearSmall(jobIds: readonly string[]): readonly string[] {
    const counts = this.#store.all(
      `SELECT value AS id, (SELECT count(*) FROM
         (SELECT 1 FROM transfer_items WHERE job_id = value LIMIT ?)) AS n FROM json_each(?)`,
      clearedAtOnce,
      JSON.stringify(jobIds),
    );
    let total = 0;
    const cleared = counts.flatMap(({ id, n }) => {
      total += Number(n);
      return total < clearedAtOnce ? [String(id)] : [];
    });
    this.#store.run(
      `DELETE FROM transfer_items WHERE job_id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(cleared),
    );
    return cleared;
  }

  clear(jobId: string): void {
    this.#store.run(`DELETE FROM transfer_items WHERE job_id = ?`, jobId);
    // Parts and intents of uploads are stored under ids that start with the job's id and a slash.
    for (const table of ['job_parts', 'job_intents'])
      this.#store.run(`DELETE FROM ${table} WHERE job_id >= ? AND job_id < ?`, `${jobId}/`, `${jobId}0`);
  }

  #items(clauses: string, ...values: SQLInputValue[]): readonly Item[] {
    return this.#store.all(`SELECT data FROM transfer_items ${clauses}`, ...values).flatMap(itemsOfRow);
  }

  #count(condition: string, ...values: SQLInputValue[]): number {
    const row = this.#store.get(`SELECT count(*) AS n FROM transfer_items WHERE ${condition}`, ...values);
    return Number(row?.['n'] ?? 0);
  }
}

/** Yields pages of items in order, until one is empty. `read` returns the page after a sequence number. */
export function* itemPages(read: (afterSeq: number) => readonly Item[]): Generator<readonly Item[]> {
  for (let after = -1; ;) {
    const page = read(after);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.seq;
  }
}

/** The maximum number of rows to delete in one slice, which takes a few milliseconds. */
const clearedAtOnce = 200;

/** Selects settled items whose note is shown. Failed items show their error instead. */
const notedCondition = `job_id = ? AND note IS NOT NULL AND note NOT IN (${hiddenNotes.map((note) => `'${note}'`).join(', ')})
  AND state IN ('done', 'skipped')`;

function whereOf(jobId: string, filter: ItemFilter): { where: string; values: string[] } {
  if (filter === 'all') return { where: 'job_id = ?', values: [jobId] };
  if (filter === 'noted') return { where: notedCondition, values: [jobId] };
  return { where: 'job_id = ? AND state = ?', values: [jobId, filter] };
}

/** Returns the item in a row; an empty list if it cannot be read. Each run of a job first replaces such rows by failed items. */
function itemsOfRow(row: Record<string, unknown>): readonly Item[] {
  try {
    return [itemSchema.parse(JSON.parse(String(row['data'])))];
  } catch {
    return [];
  }
}
