import type { DatabaseSync } from 'node:sqlite';

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
