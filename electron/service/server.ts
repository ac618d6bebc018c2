import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ServiceState } from './context.ts';
import { dispatch } from './dispatch.ts';
import { endHalfSent, halfSentLimits, hasTwoHosts } from './half-sent.ts';
import { createLifecycle } from './lifecycle/run-lifecycle.ts';
import type { Service, ServiceOptions } from './options.ts';
import { noQuirks, type Quirks } from './quirks.ts';
import type { SampleRun } from './samples/create.ts';
import { doneSteps, sampleSteps } from './samples/sample-steps.ts';
import { Store } from './store/object-store.ts';

export type { ServiceCredentials } from './auth/canonical.ts';
export type { Service, ServiceOptions } from './options.ts';
export { noQuirks, type Quirks } from './quirks.ts';
export type { Operation } from './find-operation.ts';
export { DataFolderInUse } from './store/service-schema.ts';
export { Store } from './store/object-store.ts';

/** An import would also load Node's fetch and WebSocket (syncExports), which takes 12 MiB in each thread. */
const { createServer } = process.getBuiltinModule('node:http');

/** The interval in ms of checks whether lifecycle rules are due. They run once a day. */
const lifecycleCheckMs = 10 * 60_000;

const smallestPartBytes = 5 * 1024 * 1024;

/** Starts the service for a data folder, on 127.0.0.1. Rejects with DataFolderInUse while another service uses the folder. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const quirks: Quirks = { ...noQuirks, ...options.quirks };
  const store = new Store(options.dataDir);
  const closing = new AbortController();
  const clock = options.clock ?? { nowMs: () => Date.now() };
  const state: ServiceState = {
    store,
    quirks,
    region: options.region,
    minPartBytes: options.minPartBytes ?? smallestPartBytes,
    tokenKey: tokenKey(store),
    completions: new Map(),
    nowMs: () => clock.nowMs(),
  };
  const settings = {
    state,
    credentials: options.credentials,
    publicBuckets: new Set(options.publicBuckets),
    logger: options.logger ?? null,
    intercept: options.intercept ?? null,
    signal: closing.signal,
  };
  const active = new Set<Promise<void>>();
  const track = (work: Promise<void>): void => {
    active.add(work);
    void work.finally(() => active.delete(work));
  };
  // A percent-encoded key of 1024 bytes takes 3 kB in the path, and another 3 kB in x-amz-copy-source.
  const server = createServer({
    ...halfSentLimits(options.halfSentMs),
    maxHeaderSize: 64 * 1024,
    keepAliveTimeout: 65_000,
  });
  const serve = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void => {
    if (hasTwoHosts(request)) {
      response.writeHead(400, { connection: 'close' }).end();
      return;
    }
    endHalfSent(request, options.halfSentMs);
    track(dispatch(request, response, settings, expectsContinue));
  };
  server.on('request', (request, response) => serve(request, response, false));
  server.on('checkContinue', (request, response) => serve(request, response, true));
  // Without this listener, Node responds with 417 and an empty body.
  server.on('checkExpectation', (request, response) => serve(request, response, false));
  let port: number;
  try {
    port = await listen(server, options.port ?? 0);
  } catch (error) {
    await store.close();
    throw error;
  }
  const samplesReady =
    options.samples === undefined
      ? Promise.resolve()
      : makeSamples({
          store,
          dataDir: options.dataDir,
          options: options.samples,
          nowMs: clock.nowMs(),
          signal: closing.signal,
        });
  // Logged here too, because no caller has to await the samples.
  const samplesEnded = samplesReady.catch((error: unknown) => {
    options.logger?.error('object storage: the samples could not be created', { error: String(error) });
  });
  const lifecycle = createLifecycle({ store, nowMs: state.nowMs, signal: closing.signal });
  const applyLifecycle = (): void => {
    const done = lifecycle.tick().catch((error: unknown) => {
      options.logger?.error('object storage: the lifecycle rules were not carried out', {
        error: String(error),
      });
    });
    track(done.then(() => undefined));
  };
  applyLifecycle();
  const rounds = setInterval(applyLifecycle, lifecycleCheckMs);
  rounds.unref();
  const close = once(async () => {
    closing.abort();
    clearInterval(rounds);
    await samplesEnded;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
    await Promise.allSettled(active);
    await store.close();
  });
  return { endpoint: `http://127.0.0.1:${port}`, port, store, quirks, samplesReady, lifecycle, close };
}

/** Creates missing samples. Loads the module for it only if there are any. */
async function makeSamples(run: SampleRun): Promise<void> {
  if (doneSteps(run.store) >= sampleSteps.length) return;
  const { createSamples } = await import('./samples/create.ts');
  await createSamples(run);
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => (running ??= work());
}

/** Returns the key that signs continuation tokens. It is stored, so that tokens stay valid after a restart. */
function tokenKey(store: Store): Buffer {
  const known = store.buckets.meta('token-key');
  if (known !== null) return known;
  const key = randomBytes(32);
  store.buckets.setMeta('token-key', key);
  return key;
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The service has no port.');
  return address.port;
}
