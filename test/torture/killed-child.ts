import { createQueue } from '../../electron/core/queue.ts';
import { openDatabase } from '../../electron/core/store/database.ts';
import { nodeClock, nodeRandom } from '../../electron/host/node-ports.ts';
import { copyBytes, pieceBytes } from '../support/core/transfers-rig.ts';
import { smallestPart } from '../support/core/uploads-rig.ts';
import { realClient, type RealService } from '../support/servers/real-client.ts';
import { silentLogger } from '../support/servers/s3-client.ts';

/** Runs a core in a separate process, on the real clock. Works on all jobs of a database at once until it is killed. */
const [databaseFile, service] = process.argv.slice(2);
if (databaseFile === undefined || service === undefined) throw new Error('killed-child <database> <service>');
const client = realClient(JSON.parse(service) as RealService, {
  timeouts: { firstByteMs: 3000, inactivityMs: 3000 },
});
const queue = createQueue({
  database: openDatabase(databaseFile, { nowMs: Date.now() }).database,
  clock: nodeClock,
  random: nodeRandom,
  logger: silentLogger,
  clientOf: () => Promise.resolve(client),
  minPartBytes: smallestPart,
  limits: { largestCopyBytes: copyBytes, partsFromBytes: 2 * smallestPart },
  pieceBytes,
});
queue.jobs.updateSettings({ jobsAtOnce: 8 });
queue.start();
await queue.jobs.sendMany(null, { states: ['paused'], connectionId: null }, { kind: 'resume' });
process.stdout.write('started\n');
// Usually the parent kills this process earlier. Otherwise, it exits after this time.
setTimeout(() => process.exit(0), 120_000);
