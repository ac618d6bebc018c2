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

it("TLS trusts Node's and the system's authorities without duplicates, plus the connection's own", () => {
  const both = ['an authority of default', 'one that both have', 'an authority of system'];
  secureContextFor(null);
  expect(made[0]?.ca).toEqual(both);
  secureContextFor(pem);
  expect(made[1]?.ca).toEqual([...both, pem]);
});

it('TLS certificate checks are never disabled', () => {
  secureContextFor(pem);
  expect(Object.keys(made[0] ?? {})).toEqual(['ca']);
  expect(process.env['NODE_TLS_REJECT_UNAUTHORIZED']).not.toBe('0');
});
