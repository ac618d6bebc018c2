import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { isAbsent, writeFileAtomically } from './safe-files.ts';

/** The amount of data in a database. Each written summary increments the generation. */
const holdingsSchema = z.object({ generation: z.int(), connections: z.int(), jobs: z.int() });

const summarySchema = z.object({
  ...holdingsSchema.shape,
  /** False while the program runs. Changes after this summary are then in the write-ahead log. */
  isClosed: z.boolean(),
});

export type Holdings = Readonly<z.infer<typeof holdingsSchema>>;
export type DatabaseSummary = Readonly<z.infer<typeof summarySchema>>;

/** Data of an earlier run is missing, because the database is older than its summary or its write-ahead log is gone. */
export interface DataLoss {
  readonly found: Holdings;
  readonly expected: Holdings;
}

/** The name of the generation in the settings table. */
const generationName = 'database-generation';

/**
 * Returns the path of the summary file next to the database. The summary reveals that the database was replaced by an older or
 * empty one.
 */
export function summaryFile(databaseFile: string): string {
  return `${databaseFile}.summary.json`;
}

/** Returns the summary; null if it is missing or unreadable, so nothing can be compared. */
export function readSummary(databaseFile: string): DatabaseSummary | null {
  try {
    return summarySchema.parse(JSON.parse(readFileSync(summaryFile(databaseFile), 'utf8')));
  } catch (thrown) {
    if (isAbsent(thrown) || thrown instanceof SyntaxError || thrown instanceof z.ZodError) return null;
    throw thrown;
  }
}

export async function writeSummary(
  databaseFile: string,
  summary: DatabaseSummary,
  suffix: string,
): Promise<void> {
  await writeFileAtomically(summaryFile(databaseFile), `${JSON.stringify(summary)}\n`, { suffix });
}

export function holdingsOf(database: DatabaseSync): Holdings {
  const row = database
    .prepare(
      `SELECT (SELECT value FROM settings WHERE name = ?) AS generation,
         (SELECT count(*) FROM connections) AS connections, (SELECT count(*) FROM jobs) AS jobs`,
    )
    .get(generationName);
  const generation = Number(row?.['generation'] ?? 0);
  return {
    generation: Number.isSafeInteger(generation) ? generation : 0,
    connections: Number(row?.['connections'] ?? 0),
    jobs: Number(row?.['jobs'] ?? 0),
  };
}

export function setGeneration(database: DatabaseSync, generation: number): void {
  database
    .prepare(
      `INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    )
    .run(generationName, String(generation));
}

/**
 * Returns the data loss that the summary reveals; null if there is none. `hadLog` is true if the write-ahead log existed before
 * the database was opened.
 */
export function lossOf(summary: DatabaseSummary | null, found: Holdings, hadLog: boolean): DataLoss | null {
  if (summary === null) return null;
  const { generation, connections, jobs, isClosed } = summary;
  const isOlder = found.generation < generation || (!isClosed && !hadLog);
  return isOlder ? { found, expected: { generation, connections, jobs } } : null;
}
