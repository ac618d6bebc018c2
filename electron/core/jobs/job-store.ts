import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { failure } from '../../../shared/errors.ts';
import {
  attemptSchema,
  jobSettingsSchema,
  defaultJobSettings,
  type Attempt,
  type JobFilter,
  type JobSettings,
  type JobState,
  type Turn,
} from '../../../shared/models/jobs.ts';
import { TransactedDatabase, type StoreHooks } from '../store/transacted-database.ts';
import type { BaseJob, FinishedJob, NewAttempt } from './job.ts';
import {
  type StoredJob,
  columns,
  unfitCondition,
  storedJob,
  searchable,
  conditionsOf,
  parseObject,
  placeholders,
} from './job-rows.ts';

/** The number of rows that a list examines at once: 6 to 20 ms of a search by text. */
export const rowsPerSlice = 20_000;

/** Stores the queue on disk. Synchronous, with small transactions. */
export class JobStore extends TransactedDatabase {
  constructor(db: DatabaseSync, hooks?: StoreHooks) {
    super(db, hooks);
    // SQLite's LIKE and lower() handle the case of ASCII letters only (https://www.sqlite.org/lang_expr.html).
    db.function('searchable', { deterministic: true }, (text) => searchable(String(text ?? '')));
  }

  insert(job: BaseJob): void {
    this.run(
      `INSERT INTO jobs (id, kind, state, connection_id, lock_key, due_ms, data) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      job.id,
      job.kind,
      job.state,
      job.connectionId,
      job.lockKey,
      job.dueMs,
      JSON.stringify(job),
    );
  }

  /** Throws `AppError('internal')` when the job is not stored. */
  update(job: BaseJob): void {
    const changes = this.run(
      `UPDATE jobs SET state = ?, due_ms = ?, data = ? WHERE id = ?`,
      job.state,
      job.dueMs,
      JSON.stringify(job),
      job.id,
    );
    if (changes !== 1) throw failure('internal', `The job ${job.id} is not in the store.`);
  }

  load(jobId: string): StoredJob | null {
    return this.#jobs('WHERE id = ?', jobId)[0] ?? null;
  }

  /**
   * Returns a page of the matching rows, the newest first, and the number of all of them. Yields after each slice of the rows, so
   * that the caller lets other work run: to search a million names takes up to a second.
   */
  *list(
    filter: JobFilter,
    offset: number,
    limit: number,
  ): Generator<undefined, { readonly rows: readonly StoredJob[]; readonly total: number }> {
    const { conditions, values } = conditionsOf(filter);
    // Reads a slice in the index only. Reading a million records for their order would block for seconds.
    const slice = `jobs INDEXED BY ${filter.text ? 'jobs_by_names' : 'jobs_in_order'}
      WHERE seq >= ? AND seq < ?${conditions}`;
    const rows: StoredJob[] = [];
    let total = 0;
    for (let end = Number.MAX_SAFE_INTEGER; ; yield undefined) {
      const examined = this.get(
        `SELECT min(seq) AS first, count(*) AS n FROM (
           SELECT seq FROM jobs INDEXED BY jobs_in_order WHERE seq < ? ORDER BY seq DESC LIMIT ?)`,
        end,
        rowsPerSlice,
      );
      const first = Number(examined?.['first'] ?? end);
      const found = Number(this.get(`SELECT count(*) AS n FROM ${slice}`, first, end, ...values)?.['n'] ?? 0);
      if (rows.length < limit && total + found > offset)
        rows.push(
          ...this.#jobs(
            `WHERE seq IN (SELECT seq FROM ${slice} ORDER BY seq DESC LIMIT ? OFFSET ?) ORDER BY seq DESC`,
            first,
            end,
            ...values,
            limit - rows.length,
            Math.max(0, offset - total),
          ),
        );
      total += found;
      if (Number(examined?.['n'] ?? 0) < rowsPerSlice) return { rows, total };
      end = first;
    }
  }

  /** Returns the ids of jobs in one state after a sequence number, the oldest first. Parses no records. */
  idsInState(
    state: JobState,
    connectionId: string | null,
    afterSeq: number,
    limit: number,
  ): readonly { readonly seq: number; readonly id: string }[] {
    const ofConnection = connectionId === null ? [] : [connectionId];
    return this.all(
      `SELECT seq, id FROM jobs WHERE state = ? AND seq > ?
       ${connectionId === null ? '' : 'AND +connection_id = ?'} ORDER BY seq LIMIT ?`,
      state,
      afterSeq,
      ...ofConnection,
      limit,
    ).map((row) => ({ seq: Number(row['seq']), id: String(row['id']) }));
  }

  /** Returns finished jobs in one state after a sequence number, the oldest first; without those whose record does not fit. */
  finished(
    state: 'done' | 'cancelled',
    afterSeq: number,
    limit: number,
  ): readonly (FinishedJob & { readonly seq: number })[] {
    return this.all(
      `SELECT seq, id, kind FROM jobs WHERE state = ? AND seq > ? AND NOT (${unfitCondition}) ORDER BY seq LIMIT ?`,
      state,
      afterSeq,
      limit,
    ).map((row) => ({ seq: Number(row['seq']), id: String(row['id']), kind: String(row['kind']), state }));
  }

  /** Returns unscheduled jobs in one of these states, the oldest first. */
  unscheduled(states: readonly JobState[], afterSeq: number, limit: number): readonly StoredJob[] {
    const clauses = `WHERE state IN (${placeholders(states)}) AND due_ms IS NULL AND seq > ? ORDER BY seq LIMIT ?`;
    return this.#jobs(clauses, ...states, afterSeq, limit);
  }

  /** Returns the ids of jobs due after this time. */
  idsDueAfter(afterMs: number): readonly string[] {
    return this.all(`SELECT id FROM jobs WHERE due_ms > ?`, afterMs).map((row) => String(row['id']));
  }

  /** Returns the job to start next: the oldest due one, or else the oldest waiting one, except those excluded. */
  startable(
    nowMs: number,
    without: { readonly lockKeys: Iterable<string>; readonly ids: Iterable<string> },
  ): string | null {
    const exclusions = [JSON.stringify([...without.lockKeys]), JSON.stringify([...without.ids])];
    const freeCondition = `lock_key NOT IN (SELECT value FROM json_each(?)) AND id NOT IN (SELECT value FROM json_each(?))`;
    const row =
      this.get(
        `SELECT id FROM jobs WHERE due_ms IS NOT NULL AND due_ms <= ? AND ${freeCondition} ORDER BY due_ms LIMIT 1`,
        nowMs,
        ...exclusions,
      ) ??
      this.get(
        `SELECT id FROM jobs WHERE state = 'waiting' AND ${freeCondition} ORDER BY seq LIMIT 1`,
        ...exclusions,
      );
    return row === undefined ? null : String(row['id']);
  }

  /**
   * Moves a waiting job to the first or last position of the queue and shifts the jobs in between by one. Returns false if the
   * job is not waiting.
   */
  reorder(jobId: string, to: Turn): boolean {
    const rows = this.all(`SELECT seq, id FROM jobs WHERE state = 'waiting' ORDER BY seq`);
    const currentOrder = rows.map((row) => String(row['id']));
    if (!currentOrder.includes(jobId)) return false;
    const others = currentOrder.filter((id) => id !== jobId);
    const newOrder = to === 'first' ? [jobId, ...others] : [...others, jobId];
    const moves = newOrder.flatMap((id, at) =>
      id === currentOrder[at] ? [] : [{ id, seq: Number(rows[at]?.['seq']) }],
    );
    this.transaction(() => {
      // Sequence numbers are unique, so the jobs first get negative ones.
      for (const { id, seq } of moves) this.run(`UPDATE jobs SET seq = ? WHERE id = ?`, -seq, id);
      for (const { id, seq } of moves) this.run(`UPDATE jobs SET seq = ? WHERE id = ?`, seq, id);
    });
    return true;
  }

  /** Returns the next due time after this one; null if there is none. */
  nextDueMs(afterMs: number): number | null {
    const value = this.get(`SELECT min(due_ms) AS due FROM jobs WHERE due_ms > ?`, afterMs)?.['due'];
    return typeof value === 'number' ? value : null;
  }

  /** Returns a page of unfinished jobs, the oldest first. */
  unfinished(afterSeq: number, limit: number): readonly StoredJob[] {
    return this.#jobs(
      `WHERE state NOT IN ('done', 'cancelled') AND seq > ? ORDER BY seq LIMIT ?`,
      afterSeq,
      limit,
    );
  }

  withLock(lockKey: string): readonly StoredJob[] {
    return this.#jobs(`WHERE lock_key = ? ORDER BY seq DESC LIMIT 100`, lockKey);
  }

  countsByState(): ReadonlyMap<string, number> {
    const rows = this.all(`SELECT state, count(*) AS n FROM jobs GROUP BY state`);
    return new Map(rows.map((row) => [String(row['state']), Number(row['n'])]));
  }

  /** Checks the next `limit` rows. Returns those whose columns contradict their record; null if there are no more rows. */
  unfit(
    afterSeq: number,
    limit: number,
  ): { readonly rows: readonly StoredJob[]; readonly lastSeq: number } | null {
    const last = this.get(
      `SELECT max(seq) AS seq FROM (SELECT seq FROM jobs WHERE seq > ? ORDER BY seq LIMIT ?)`,
      afterSeq,
      limit,
    )?.['seq'];
    if (typeof last !== 'number') return null;
    return {
      rows: this.#jobs(`WHERE seq > ? AND seq <= ? AND ${unfitCondition}`, afterSeq, last),
      lastSeq: last,
    };
  }

  brokenCount(): number {
    return Number(this.get(`SELECT count(*) AS n FROM job_broken`)?.['n'] ?? 0);
  }

  /** Moves an unreadable record unchanged to the table `job_broken`, so that the other jobs can run. */
  setAside(job: StoredJob, error: string, nowMs: number): void {
    this.transaction(() => {
      this.run(
        `INSERT OR REPLACE INTO job_broken (seq, id, set_aside_ms, error, data) VALUES (?, ?, ?, ?, ?)`,
        job.seq,
        job.id,
        nowMs,
        error,
        job.data,
      );
      this.run(`DELETE FROM jobs WHERE seq = ?`, job.seq);
    });
  }

  remove(jobIds: readonly string[]): void {
    const ids = JSON.stringify(jobIds);
    for (const table of ['job_attempts', 'job_parts', 'job_intents'])
      this.run(`DELETE FROM ${table} WHERE job_id IN (SELECT value FROM json_each(?))`, ids);
    this.run(`DELETE FROM jobs WHERE id IN (SELECT value FROM json_each(?))`, ids);
  }

  addAttempt(jobId: string, atMs: number, attempt: NewAttempt): void {
    this.run(
      `INSERT INTO job_attempts (job_id, at_ms, data) VALUES (?, ?, ?)`,
      jobId,
      atMs,
      JSON.stringify(attempt),
    );
  }

  /** Returns attempts, the newest first. */
  attempts(jobId: string, beforeId: number | null, limit: number): readonly Attempt[] {
    return this.all(
      `SELECT id, at_ms, data FROM job_attempts WHERE job_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
      jobId,
      beforeId ?? Number.MAX_SAFE_INTEGER,
      limit,
    ).flatMap((row) => {
      const parsed = attemptSchema.safeParse({
        ...parseObject(row['data']),
        id: row['id'],
        at: new Date(Number(row['at_ms'])).toISOString(),
      });
      return parsed.success ? [parsed.data] : [];
    });
  }

  readSettings(): JobSettings {
    const text = this.get(`SELECT value FROM job_settings WHERE name = 'settings'`)?.['value'];
    const parsed = jobSettingsSchema.safeParse({ ...defaultJobSettings, ...parseObject(text) });
    return parsed.success ? parsed.data : defaultJobSettings;
  }

  writeSettings(settings: JobSettings): void {
    this.transaction(() =>
      this.run(
        `INSERT OR REPLACE INTO job_settings (name, value) VALUES ('settings', ?)`,
        JSON.stringify(settings),
      ),
    );
  }

  #jobs(clauses: string, ...values: SQLInputValue[]): readonly StoredJob[] {
    return this.all(`SELECT ${columns} FROM jobs ${clauses}`, ...values).map(storedJob);
  }
}
