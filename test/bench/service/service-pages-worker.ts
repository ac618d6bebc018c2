import { parentPort, workerData } from 'node:worker_threads';
import { startService } from '../../support/lab-service/server.ts';
import { smallObject } from '../../../electron/service/store/blobs.ts';
import type { NewObject } from '../../../electron/service/store/model.ts';

const { dir, keyCount } = workerData as { readonly dir: string; readonly keyCount: number };
const options = { dataDir: dir, credentials: [], region: 'us-east-1', publicBuckets: ['bucket'] };

function* objects(): Generator<readonly [string, NewObject]> {
  const object = smallObject(Buffer.alloc(0), { modifiedMs: 1_700_000_000_000 });
  for (let index = 0; index < keyCount; index++) {
    const folder = String(Math.floor(index / 1000)).padStart(4, '0');
    yield [`data/${folder}/object ${String(index).padStart(8, '0')}.txt`, object];
  }
}

const filling = await startService(options);
filling.store.putObjects(filling.store.buckets.create('bucket', 0)?.id ?? 0, objects());
await filling.close();

const before = performance.now();
const service = await startService(options);
const startMs = performance.now() - before;
parentPort?.on('message', () => {
  void service.close().then(() => parentPort?.close());
});
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage({ port: service.port, startMs });
