import { startService } from '../../support/lab-service/server.ts';
import { keys, region } from './keys.ts';

/** Runs the service in a separate process: prints its port, and ends when its input does. */
const service = await startService({ dataDir: process.argv[2] ?? '', credentials: [keys], region });
service.store.buckets.create('bucket', 0);
process.stdout.write(`${service.port}\n`);
process.stdin.resume();
process.stdin.on('end', () => {
  void service.close();
});
