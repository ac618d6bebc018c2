import { readFileSync } from 'node:fs';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { failure } from '../../../../shared/errors.ts';

let trusted: readonly string[] | null = null;

/**
 * Returns the certificates that Node, NODE_EXTRA_CA_CERTS and the system trust. The system's are needed for companies with their
 * own authorities (electron#41590).
 */
function trustedAuthorities(): readonly string[] {
  trusted ??= [
    ...new Set([
      ...getCACertificates('default'),
      ...getCACertificates('system'),
      ...extraAuthorities(process.env['NODE_EXTRA_CA_CERTS']),
    ]),
  ];
  return trusted;
}

/**
 * Returns the certificates in a PEM file; like Node, returns none if it cannot be read. Needed because a packaged Electron
 * without the fuse `enableNodeOptionsEnvironmentVariable` ignores NODE_EXTRA_CA_CERTS (Electron's docs, "Electron Fuses").
 */
export function extraAuthorities(file: string | undefined): readonly string[] {
  if (file === undefined || file === '') return [];
  try {
    const pem = readFileSync(file, 'utf8');
    return pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu) ?? [];
  } catch {
    return []; // Node only warns too. Connections that need these certificates fail with a certificate error.
  }
}

let sharedContext: SecureContext | null = null;

/**
 * Returns the certificates that a connection trusts. Cached without `caPem`, because parsing hundreds of certificates for each
 * socket is slow. Throws `AppError('invalid-argument')` if `caPem` contains no readable certificate.
 */
export function secureContextFor(caPem: string | null): SecureContext {
  if (caPem === null || caPem.trim() === '') {
    sharedContext ??= createSecureContext({ ca: [...trustedAuthorities()] });
    return sharedContext;
  }
  if (!caPem.includes('-----BEGIN CERTIFICATE-----')) throw unreadable();
  try {
    return createSecureContext({ ca: [...trustedAuthorities(), caPem] });
  } catch (error) {
    throw unreadable(error);
  }
}

function unreadable(cause?: unknown) {
  return failure('invalid-argument', 'The certificate file of this connection contains no PEM certificate.', {
    retry: 'after-fix',
    reason: 'ca-unreadable',
    cause,
  });
}
