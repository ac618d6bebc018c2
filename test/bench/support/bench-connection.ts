import { call } from '@orpc/server';
import { createCore } from '../../../electron/core/core.ts';
import { fakePorts } from '../../support/core/fake-ports.ts';

/** Adds a connection to a benchmark's server to a data folder. No program may have the folder open. */
export async function addBenchConnection(dataDir: string, endpoint: string): Promise<void> {
  const core = createCore({ dataDir, version: '0', host: 'browser', samples: null, ports: fakePorts() });
  try {
    await call(core.router.connections.create, {
      name: 'Bench',
      provider: 'custom',
      endpoint,
      region: 'us-east-1',
      addressing: 'path',
      caPem: null,
      proxy: { kind: 'none' },
      start: null,
      auth: { kind: 'anonymous' },
    });
  } finally {
    await core.close();
  }
}
