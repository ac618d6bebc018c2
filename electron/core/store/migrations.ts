import { jobsByNames, jobsInOrder, jobsOfAllUploads, jobsOfUploads, jobTables } from './job-tables.ts';
import { begunBytesColumn, transferTables, workOfItems } from './transfer-tables.ts';
import { firstTables } from './schema.ts';

/** A migration of the schema. Its number is its position in the list. Released migrations must never change. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** All migrations in order. To add one, import its SQL and append a line. */
export const migrations: readonly Migration[] = [
  { name: 'connections, buckets, bookmarks, settings', sql: firstTables },
  { name: 'jobs, their attempts, parts and intents', sql: jobTables },
  { name: 'the items of transfers', sql: transferTables },
  { name: 'the stored bytes of unsettled items', sql: begunBytesColumn },
  { name: 'the work of items', sql: workOfItems },
  { name: 'the jobs of many uploads', sql: jobsOfUploads },
  { name: 'the jobs of many uploads that are finished from files', sql: jobsOfAllUploads },
  { name: 'the order of jobs', sql: jobsInOrder },
  { name: 'the names of jobs', sql: jobsByNames },
];
