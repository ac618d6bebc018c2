import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type * as Tls from 'node:tls';
import { afterAll, afterEach, expect, it, vi } from 'vitest';

const made: Tls.SecureContextOptions[] = [];

vi.mock('node:tls', async (load) => ({
  ...(await load<typeof Tls>()),
  getCACertificates: (kind: string) => [`an authority of ${kind}`, 'one that both have'],
  createSecureContext: (options: Tls.SecureContextOptions) => {
    made.push(options);
    return {};
  },
}));

const office = path.join(mkdtempSync(path.join(os.tmpdir(), 'cooper-tls-')), 'office.pem');
const officePem = '-----BEGIN CERTIFICATE-----\nabc=\n-----END CERTIFICATE-----';
writeFileSync(office, `# office\n${officePem}\n`);
vi.stubEnv('NODE_EXTRA_CA_CERTS', office);
const { extraAuthorities, secureContextFor } = await import('../../../../../electron/core/s3/http/tls.ts');
const pem = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n';

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(path.dirname(office), { recursive: true, force: true });
});
afterEach(() => {
  made.length = 0;
});

it("TLS trusts Node's and the system's authorities and those of NODE_EXTRA_CA_CERTS, plus the connection's own", () => {
  const both = ['an authority of default', 'one that both have', 'an authority of system', officePem];
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

it('TLS reads every certificate of NODE_EXTRA_CA_CERTS, and goes without a file that cannot be read', () => {
  writeFileSync(office, `${officePem}\n\n${officePem.replace('abc', 'def')}\n`);
  expect(extraAuthorities(office)).toEqual([officePem, officePem.replace('abc', 'def')]);
  expect(extraAuthorities(`${office}.none`)).toEqual([]);
  expect(extraAuthorities('')).toEqual([]);
});
