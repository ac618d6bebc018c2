import { openDatabase } from '../../../electron/core/store/database.ts';
import { createQueue } from '../../../electron/core/queue.ts';
import { realClient } from '../servers/real-client.ts';
import { copyBytes, pieceBytes } from './transfers-rig.ts';
import { rigKeys, rushingClock, rushingDeps, smallestPart } from './uploads-rig.ts';
import { silentLogger } from '../servers/s3-client.ts';

/** A core in a separate process, for runUntilKilled to kill: continues the jobs of a database. */
const [databaseFile, endpoint] = process.argv.slice(2);
if (databaseFile === undefined || endpoint === undefined)
  throw new Error('killed-core-child <database> <endpoint>');
const clock = rushingClock();
const random = { fraction: () => Math.random(), id: () => crypto.randomUUID() };
const client = realClient({ endpoint, keys: rigKeys }, rushingDeps(clock, undefined));
const clientOf = () => Promise.resolve(client);
const limits = { largestCopyBytes: copyBytes, partsFromBytes: 2 * smallestPart };
createQueue({
  database: openDatabase(databaseFile, { nowMs: Date.now() }).database,
  clock,
  random,
  logger: silentLogger,
  clientOf,
  minPartBytes: smallestPart,
  limits,
  pieceBytes,
}).start();
process.stdout.write('started\n');
// The parent usually kills this process. Otherwise, it exits after this time.
setTimeout(() => process.exit(0), 20_000);
