import type { DatabaseSync } from 'node:sqlite';
import type { z } from 'zod';
import { inTransaction } from './database.ts';

export interface Loaded<T> {
  readonly id: string;
  readonly record: T;
}

/** A table of ordered JSON records (`id`, `position`, `record`). */
export interface Records<T> {
  all(): readonly Loaded<T>[];
  get(id: string): T | null;
  /** Replaces a record, or appends it if it is new. */
  put(id: string, record: T): void;
  remove(id: string): boolean;
  /** Moves these records to the front, in this order. The others keep their order. */
  reorder(ids: readonly string[]): void;
}

export interface RecordsOptions<T> {
  readonly database: DatabaseSync;
  readonly table: 'connections' | 'bookmarks';
  readonly schema: z.ZodType<T>;
  readonly nowMs: () => number;
  /** Called once when a record cannot be read and was moved to `set_aside`. */
  readonly onSetAside: (id: string, reason: string) => void;
}

export function createRecords<T>(options: RecordsOptions<T>): Records<T> {
  const { database, table, schema } = options;

  const parse = (id: string, text: string): T | null => {
    try {
      return schema.parse(JSON.parse(text));
    } catch (thrown) {
      setAside(id, text, thrown instanceof Error ? thrown.message : String(thrown));
      return null;
    }
  };

  /** Moves one broken record to the table `set_aside`, so that the program can start. It is kept there for inspection. */
  const setAside = (id: string, text: string, reason: string): void => {
    inTransaction(database, () => {
      database
        .prepare('INSERT INTO set_aside (source, record_id, record, reason, at) VALUES (?, ?, ?, ?, ?)')
        .run(table, id, text, reason, new Date(options.nowMs()).toISOString());
      database.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
    });
    options.onSetAside(id, reason);
  };

  return {
    all: () =>
      database
        .prepare(`SELECT id, record FROM ${table} ORDER BY position, id`)
        .all()
        .flatMap((row) => {
          const id = String(row['id']);
          const record = parse(id, String(row['record']));
          return record === null ? [] : [{ id, record }];
        }),
    get: (id) => {
      const row = database.prepare(`SELECT record FROM ${table} WHERE id = ?`).get(id);
      return row === undefined ? null : parse(id, String(row['record']));
    },
    put: (id, record) => {
      database
        .prepare(
          `INSERT INTO ${table} (id, position, record)
           VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM ${table}), ?)
           ON CONFLICT (id) DO UPDATE SET record = excluded.record`,
        )
        .run(id, JSON.stringify(record));
    },
    remove: (id) => database.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id).changes > 0,
    reorder: (ids) => {
      inTransaction(database, () => {
        const now = database.prepare(`SELECT id FROM ${table} ORDER BY position, id`).all();
        const known = now.map((row) => String(row['id']));
        const first = [...new Set(ids)].filter((id) => known.includes(id));
        const order = [...first, ...known.filter((id) => !first.includes(id))];
        const move = database.prepare(`UPDATE ${table} SET position = ? WHERE id = ?`);
        for (const [index, id] of order.entries()) move.run(index + 1, id);
      });
    },
  };
}

/** A table of named JSON values. */
export interface Values {
  /** Returns the stored value; undefined if it is missing or not valid JSON. */
  get(name: string): unknown;
  set(name: string, value: unknown): void;
}

export function createValues(database: DatabaseSync, table: 'settings' | 'view_state'): Values {
  return {
    get: (name) => {
      const row = database.prepare(`SELECT value FROM ${table} WHERE name = ?`).get(name);
      if (row === undefined) return undefined;
      try {
        return JSON.parse(String(row['value'])) as unknown;
      } catch {
        return undefined; // Settings then have their defaults. No user data is lost.
      }
    },
    set: (name, value) => {
      database
        .prepare(
          `INSERT INTO ${table} (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
        )
        .run(name, JSON.stringify(value));
    },
  };
}
