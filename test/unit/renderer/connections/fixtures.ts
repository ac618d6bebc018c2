import type { Connection } from '../../../../shared/models/connection.ts';

/** A connection with ordinary values, for tests that care about only a few of them. */
export function connectionOf(id: string, changes: Partial<Connection> = {}): Connection {
  return {
    id,
    name: id,
    provider: 'custom',
    endpoint: 'https://storage.example.com',
    region: null,
    addressing: 'auto',
    caPem: null,
    proxy: { kind: 'system' },
    start: null,
    auth: { kind: 'keys', accessKeyId: 'AKIDEXAMPLE', hasSecret: true, hasSessionToken: false },
    builtIn: false,
    ...changes,
  };
}
