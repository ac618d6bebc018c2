import type { TestStep, ConnectionInput } from '../../../shared/models/connection.ts';
import type { Ports } from '../ports.ts';
import type { RequestLog } from '../request-log/request-log.ts';
import { samplesConfig, type Samples } from './clients.ts';
import { runConnectionTest } from './connection-test.ts';
import { samplesId, samplesRecord, type Connections } from './connections.ts';
import { endpointConfigOf } from './endpoint-config.ts';

export interface TestConnectionDeps {
  readonly ports: Ports;
  readonly connections: Connections;
  readonly requestLog: RequestLog;
  readonly samples: (() => Promise<Samples>) | null;
}

/** Tests the form's values, with the stored secrets of the connection being edited. */
export async function* testConnection(
  deps: TestConnectionDeps,
  connectionId: string | null,
  input: ConnectionInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<TestStep, void, void> {
  const { createTestProbes } = await import('./test-probes.ts');
  const ending = new AbortController();
  const probes = createTestProbes({
    ports: deps.ports,
    requestLog: deps.requestLog.sinkFor(connectionId ?? 'test'),
    env: process.env,
    signal: signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]),
    load: async () => {
      if (connectionId === samplesId && deps.samples !== null) {
        return { stored: samplesRecord(), config: await samplesConfig(deps.samples) };
      }
      const { stored, secrets } = await deps.connections.draft(connectionId, input);
      return { stored, config: await endpointConfigOf(stored, secrets, deps.ports.clock) };
    },
  });
  try {
    yield* runConnectionTest(probes, () => deps.ports.clock.monotonicMs());
  } finally {
    ending.abort();
    await probes.close();
  }
}
