import { Worker } from 'node:worker_threads';
import type { Logger } from '../core/ports.ts';
import type { Service, WorkerMessage, WorkerServiceOptions } from './options.ts';
import { DataFolderInUse } from './store/service-schema.ts';

/** The service in a worker thread, where a long listing or a flush to disk does not block the program. */
export type WorkerService = Pick<Service, 'endpoint' | 'port' | 'samplesReady' | 'close'>;

/**
 * Starts the service in a worker thread. Rejects with DataFolderInUse while another service uses the folder. `workerUrl` is the
 * bundled worker-main.ts; if absent, its source is used.
 */
export async function startServiceInWorker(
  options: WorkerServiceOptions,
  host: { readonly logger?: Logger; readonly workerUrl?: URL } = {},
): Promise<WorkerService> {
  const worker = new Worker(host.workerUrl ?? new URL('./worker-main.ts', import.meta.url), {
    workerData: options,
    name: 'object storage',
  });
  const samples = Promise.withResolvers<void>();
  // Prevents an unhandled rejection, because a caller may ignore samplesReady.
  samples.promise.catch(() => undefined);
  const started = Promise.withResolvers<{ readonly endpoint: string; readonly port: number }>();
  const ended = Promise.withResolvers<void>();
  worker.on('message', (message: WorkerMessage) => {
    switch (message.kind) {
      case 'ready':
        started.resolve(message);
        return;
      case 'failed':
        started.reject(
          message.isFolderInUse ? new DataFolderInUse(options.dataDir) : new Error(message.message),
        );
        return;
      case 'samples':
        if (message.error === null) samples.resolve();
        else samples.reject(new Error(message.error));
        return;
      case 'log':
        host.logger?.error(message.message, message.fields);
    }
  });
  worker.on('error', (error) => {
    host.logger?.error('object storage: its thread ended', { error: String(error) });
    started.reject(error);
    samples.reject(error);
  });
  worker.on('exit', () => {
    const gone = new Error('The object storage service ended.');
    started.reject(gone);
    samples.reject(gone);
    ended.resolve();
  });
  const { endpoint, port } = await started.promise;
  return {
    endpoint,
    port,
    samplesReady: samples.promise,
    close: async () => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage('close');
      await ended.promise;
    },
  };
}
