import { parentPort, workerData } from 'node:worker_threads';
import type { Logger } from '../core/ports.ts';
import { DataFolderInUse, startService } from './server.ts';
import type { WorkerMessage, WorkerServiceOptions } from './options.ts';

/** Runs the service in a thread that startServiceInWorker started. */
async function main(): Promise<void> {
  const options = workerData as WorkerServiceOptions;
  try {
    const service = await startService({ ...options, logger });
    parentPort?.on('message', () => {
      void service.close().then(() => parentPort?.close());
    });
    post({ kind: 'ready', endpoint: service.endpoint, port: service.port });
    service.samplesReady.then(
      () => post({ kind: 'samples', error: null }),
      (error: unknown) => post({ kind: 'samples', error: String(error) }),
    );
  } catch (error) {
    const isFolderInUse = error instanceof DataFolderInUse;
    post({ kind: 'failed', isFolderInUse, message: error instanceof Error ? error.message : String(error) });
  }
}

function post(message: WorkerMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}

function log(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
  post({ kind: 'log', message, fields });
}

const logger: Logger = { debug: () => undefined, info: () => undefined, warn: log, error: log };

await main();
