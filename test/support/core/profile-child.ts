import { createRouterClient } from '@orpc/server';
import { createCore } from '../../../electron/core/core.ts';
import { readSummary } from '../../../electron/core/store/database-summary.ts';
import { nodeClock, nodeRandom } from '../../../electron/host/node-ports.ts';
import { inputFor } from './core-under-test.ts';
import { fakePorts } from './fake-ports.ts';

/** A core in a separate process: stores connections and reports when they are in the database, until it is killed. */
const [dataDir, databaseFile, count] = process.argv.slice(2);
if (dataDir === undefined || databaseFile === undefined || count === undefined)
  throw new Error('profile-child <data folder> <database> <connections>');
const clock = { ...nodeClock, advance: () => Promise.resolve(), sleepers: 0 };
const core = createCore({
  ports: fakePorts({ clock, random: nodeRandom }),
  dataDir,
  version: '1.0.0',
  host: 'browser',
  samples: null,
});
core.keepData();
const client = createRouterClient(core.router, { context: {} });
const before = (await client.connections.list()).length;
for (let index = 0; index < Number(count); index += 1)
  await client.connections.create(inputFor('http://127.0.0.1:1', { name: `Connection ${index}` }));
process.stdout.write('stored\n');
const isKept = (): boolean => readSummary(databaseFile)?.connections === before + Number(count);
const watch = setInterval(() => {
  if (!isKept()) return;
  clearInterval(watch);
  process.stdout.write('kept\n');
}, 20);
// The parent usually kills this process. Otherwise, it exits after this time.
setTimeout(() => process.exit(0), 60_000);
