import type { SQLInputValue } from 'node:sqlite';
import type { JobFilter } from '../../../shared/models/jobs.ts';

/** A row as stored; the driver parses `data`. The columns repeat some of its fields for queries. */
export interface StoredJob {
  readonly seq: number;
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly connectionId: string;
  readonly lockKey: string;
  readonly dueMs: number | null;
  readonly data: string;
}

export const columns = 'seq, id, kind, state, connection_id, lock_key, due_ms, data';

/** The columns, each with the field of the record that it repeats. */
const repeatedColumns = [
  ['id', 'id'],
  ['kind', 'kind'],
  ['state', 'state'],
  ['connection_id', 'connectionId'],
  ['lock_key', 'lockKey'],
  ['due_ms', 'dueMs'],
] as const;

export const unfitCondition = `CASE WHEN json_valid(data) THEN ${repeatedColumns
  .map(([column, field]) => `${column} IS NOT json_extract(data, '$.${field}')`)
  .join(' OR ')} ELSE 1 END`;

export function storedJob(row: Record<string, unknown>): StoredJob {
  return {
    seq: Number(row['seq']),
    id: String(row['id']),
    kind: String(row['kind']),
    state: String(row['state']),
    connectionId: String(row['connection_id']),
    lockKey: String(row['lock_key']),
    dueMs: typeof row['due_ms'] === 'number' ? row['due_ms'] : null,
    data: String(row['data']),
  };
}

/** JSON paths of the fields of a record whose text users search for. */
const namingPaths = [
  '$.bucket',
  '$.key',
  '$.name',
  '$.prefix',
  '$.file.name',
  '$.operation.to.bucket',
  '$.operation.to.prefix',
];

/** SQL for all names of a job, one per line. The index `jobs_by_names` of the schema has the same expression. */
const namesOf = `CASE WHEN json_valid(data) THEN concat_ws(char(10), ${namingPaths
  .map((path) => `json_extract(data, '${path}')`)
  .join(', ')}) END`;

/**
 * SQL for the position of a text in the names. The function `searchable` costs 1 µs a row, so names of ASCII letters alone, whose
 * bytes are as many as their letters, are compared without it.
 */
const foundInNames = `CASE WHEN octet_length(${namesOf}) = length(${namesOf})
  THEN instr(upper(${namesOf}), ?) ELSE instr(searchable(${namesOf}), ?) END`;

/** Normalizes a text for searching: ignores case and composed or decomposed letters. */
export function searchable(text: string): string {
  return text.normalize('NFC').toUpperCase();
}

/** Returns one SQL parameter for each value. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}

/** Returns the SQL conditions of a filter, to append to others, and their values. */
export function conditionsOf(filter: JobFilter): { conditions: string; values: SQLInputValue[] } {
  const clauses: string[] = [];
  const values: SQLInputValue[] = [];
  if (filter.states !== null) {
    clauses.push(`state IN (${placeholders(filter.states)})`);
    values.push(...filter.states);
  }
  if (filter.connectionId !== null) {
    clauses.push('connection_id = ?');
    values.push(filter.connectionId);
  }
  if (filter.text !== undefined && filter.text !== '') {
    const text = searchable(filter.text);
    clauses.push(`${foundInNames} > 0`);
    values.push(text, text);
  }
  return { conditions: clauses.map((clause) => ` AND ${clause}`).join(''), values };
}

export function parseObject(text: unknown): Record<string, unknown> {
  if (typeof text !== 'string') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // A damaged log entry or setting must not keep the program from starting.
    return {};
  }
}
