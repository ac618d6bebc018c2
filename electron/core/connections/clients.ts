import { failure } from '../../../shared/errors.ts';
import type { Encryption } from '../../../shared/models/transfers.ts';
import type { SampleService } from '../../../shared/models/connection.ts';
import type { Ports } from '../ports.ts';
import type { RequestLog } from '../request-log/request-log.ts';
import type { RefusalStore } from '../s3/model/service-memory.ts';
import type { EndpointConfig } from '../s3/model/connection-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { samplesId, type Connections } from './connections.ts';
import { typedKeys } from './credentials.ts';
import { createCustomerKeys } from './customer-key-store.ts';
import { endpointConfigOf } from './endpoint-config.ts';

/** The embedded service, as the host describes it. */
export interface Samples {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The path of the file with both keys, for other programs. */
  readonly keysFile: string;
}

/** Holds one client per connection, created at first use. */
export interface Clients {
  get(connectionId: string): Promise<S3Client>;
  /** Creates a separate client for the values of a form. The caller must close it. */
  make(config: EndpointConfig, connectionId: string, refusals?: RefusalStore): Promise<S3Client>;
  /** Closes the client of a changed or removed connection. The next `get` creates a new one. */
  drop(connectionId: string): void;
  close(): Promise<void>;
}

export interface ClientsDeps {
  readonly ports: Ports;
  readonly connections: Pick<Connections, 'load'>;
  readonly requestLog: RequestLog;
  /** Returns the encryption for a connection's writes if the user did not choose one for the write. */
  readonly encryptionOf?: (connectionId: string) => Encryption;
  /** Returns the stored refusals of a connection's service. */
  readonly refusalsOf?: (connectionId: string) => Promise<RefusalStore>;
  readonly samples: (() => Promise<Samples>) | null;
}

export function createClients(deps: ClientsDeps): Clients {
  const { ports } = deps;
  const clients = new Map<string, Promise<S3Client>>();
  let closed = false;
  let isWarm = false;

  const customerKeys = createCustomerKeys(
    ports.secrets,
    async (id) => await endpointOf(deps.connections, id),
  );

  const warmUp = async (): Promise<void> => {
    try {
      const { warmUpListings } = await import('../browse/warm-up.ts');
      await warmUpListings(ports.clock);
    } catch (thrown) {
      ports.logger.warn('Could not warm up the listing parser.', { error: String(thrown) });
    }
  };

  const make: Clients['make'] = async (config, connectionId, refusals) => {
    // Loads undici and the parser with the first connection, not at the program's start.
    const { createS3Client } = await import('../s3/client.ts');
    if (!isWarm) {
      isWarm = true;
      void warmUp();
    }
    return createS3Client(
      {
        ...config,
        writeEncryption: () => deps.encryptionOf?.(connectionId) ?? { kind: 'none' },
        customerKeys: async (bucket) => await customerKeys.ofBucket(connectionId, bucket),
        customerKeyNamed: async (md5, bucket) => await customerKeys.use(connectionId, md5, bucket),
      },
      {
        clock: ports.clock,
        random: ports.random,
        logger: ports.logger,
        systemProxy: ports.systemProxy,
        refusals,
        requestLog: deps.requestLog.sinkFor(connectionId),
      },
    );
  };

  const configFor = async (connectionId: string): Promise<EndpointConfig> => {
    if (connectionId === samplesId && deps.samples !== null) return await samplesConfig(deps.samples);
    const { stored, secrets } = await deps.connections.load(connectionId);
    return await endpointConfigOf(stored, secrets, ports.clock);
  };

  return {
    make,
    get: (connectionId) => {
      if (closed) return Promise.reject(failure('disconnected', 'Cooper is quitting.'));
      const known = clients.get(connectionId);
      if (known !== undefined) return known;
      const made = Promise.all([configFor(connectionId), deps.refusalsOf?.(connectionId)]).then(
        ([config, refusals]) => make(config, connectionId, refusals),
      );
      clients.set(connectionId, made);
      // A failure is not cached, because the user may fix the profile, the secret or the samples.
      made.catch(() => {
        if (clients.get(connectionId) === made) clients.delete(connectionId);
      });
      return made;
    },
    drop: (connectionId) => {
      const known = clients.get(connectionId);
      if (known === undefined) return;
      clients.delete(connectionId);
      end(known).catch((thrown: unknown) =>
        ports.logger.error('A client could not be closed.', { err: thrown, connectionId }),
      );
    },
    close: async () => {
      closed = true;
      const all = [...clients.values()];
      clients.clear();
      await Promise.all(all.map(end));
    },
  };
}

/** Returns the endpoint to which a connection's secrets are bound; '' for the samples, whose port changes at each start. */
export async function endpointOf(
  connections: Pick<Connections, 'load'>,
  connectionId: string,
): Promise<string> {
  return connectionId === samplesId ? '' : (await connections.load(connectionId)).stored.endpoint;
}

async function end(client: Promise<S3Client>): Promise<void> {
  // A client that could not be created needs no closing.
  const made = await client.catch(() => null);
  await made?.close();
}

/** Returns the endpoint of the sample buckets once their service runs. Throws if the service cannot start. */
export async function samplesConfig(start: () => Promise<Samples>): Promise<EndpointConfig> {
  const samples = await start().catch(unavailable);
  return {
    endpoint: samples.endpoint,
    region: samples.region,
    addressing: 'path',
    credentials: typedKeys({ accessKeyId: samples.accessKeyId, secretAccessKey: samples.secretAccessKey }),
    caPem: null,
    proxyUrl: 'none',
    provider: 'custom',
  };
}

/**
 * Returns what other programs need to use the sample service. Its keys stay in their file. Throws `AppError('storage')` if the
 * service does not run.
 */
export async function sampleServiceOf(start: (() => Promise<Samples>) | null): Promise<SampleService> {
  if (start === null) return unavailable(null);
  const { endpoint, region, keysFile } = await start().catch(unavailable);
  return { endpoint, region, keysFile };
}

function unavailable(cause: unknown): never {
  throw failure(
    'storage',
    'The sample buckets are missing: their service could not be started. The log has the reason.',
    { retry: 'after-fix', reason: 'samples-unavailable', cause },
  );
}
