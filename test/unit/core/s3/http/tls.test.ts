import type * as Tls from 'node:tls';
import { afterEach, expect, it, vi } from 'vitest';

const made: Tls.SecureContextOptions[] = [];

vi.mock('node:tls', async (load) => ({
  ...(await load<typeof Tls>()),
  getCACertificates: (kind: string) => [`an authority of ${kind}`, 'one that both have'],
  createSecureContext: (options: Tls.SecureContextOptions) => {
    made.push(options);
    return {};
  },
}));

const { secureContextFor } = await import('../../../../../electron/core/s3/http/tls.ts');
const pem = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n';

afterEach(() => {
  made.length = 0;
});

it('the system’s authorities are trusted beside Node’s own, each once, and the connection’s beside both', () => {
  const both = ['an authority of default', 'one that both have', 'an authority of system'];
  secureContextFor(null);
  expect(made[0]?.ca).toEqual(both);
  secureContextFor(pem);
  expect(made[1]?.ca).toEqual([...both, pem]);
});

it('TLS is never switched off: no context leaves a certificate unchecked', () => {
  secureContextFor(pem);
  expect(Object.keys(made[0] ?? {})).toEqual(['ca']);
  expect(process.env['NODE_TLS_REJECT_UNAUTHORIZED']).not.toBe('0');
});
