import path from 'node:path';
import { createRouterClient } from '@orpc/server';
import { onTestFinished } from 'vitest';
import { createCore, type Core, type CoreOptions } from '../../../electron/core/core.ts';
import { nodeClock } from '../../../electron/host/node-ports.ts';
import { startService } from '../lab-service/server.ts';
import type { Service, ServiceOptions } from '../lab-service/server.ts';
import type { CoreClient } from '../../../shared/contract/index.ts';
import type { ConnectionInput } from '../../../shared/models/connection.ts';
import { fakePorts, type FakePorts } from './fake-ports.ts';
import { tempDir } from '../temp-dir.ts';

export const serviceKeys = {
  accessKeyId: 'COOPERTESTKEY',
  secretAccessKey: 'cooper-test-secret/with+odd=characters',
};
export const serviceRegion = 'us-east-1';

export async function serviceUnderTest(options: Partial<ServiceOptions> = {}): Promise<Service> {
  const service = await startService({
    dataDir: path.join(tempDir(), 'service'),
    credentials: [serviceKeys],
    region: serviceRegion,
    ...options,
  });
  onTestFinished(async () => {
    await service.close();
  });
  return service;
}

export interface CoreUnderTest {
  readonly core: Core;
  readonly ports: FakePorts;
  readonly dataDir: string;
  /** Calls the router without a transport. */
  readonly client: CoreClient;
}

/** Starts a core in a new data folder. `service`, if given, serves the sample buckets. */
export function coreUnderTest(
  options: Partial<CoreOptions> & { readonly service?: Service; readonly ports?: FakePorts } = {},
): CoreUnderTest {
  const { service, ...rest } = options;
  // Uses the real clock: retries and log pauses take only milliseconds here.
  const ports =
    options.ports ?? fakePorts({ clock: { ...nodeClock, advance: () => Promise.resolve(), sleepers: 0 } });
  const dataDir = options.dataDir ?? tempDir();
  const core = createCore({
    dataDir,
    version: '1.0.0',
    host: 'browser',
    samples:
      service === undefined
        ? null
        : () =>
            Promise.resolve({
              endpoint: service.endpoint,
              region: serviceRegion,
              keysFile: path.join(dataDir, 'keys.json'),
              ...serviceKeys,
            }),
    ...rest,
    ports,
  });
  onTestFinished(async () => {
    await core.close();
  });
  return { core, ports, dataDir, client: createRouterClient(core.router, { context: {} }) };
}

/** Returns the form's values for a connection to this endpoint. */
export function inputFor(endpoint: string, change: Partial<ConnectionInput> = {}): ConnectionInput {
  return {
    name: 'Test',
    provider: 'custom',
    endpoint,
    region: serviceRegion,
    addressing: 'path',
    caPem: null,
    proxy: { kind: 'none' },
    start: null,
    auth: { kind: 'keys', ...serviceKeys, sessionToken: null },
    ...change,
  };
}
