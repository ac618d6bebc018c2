import { readFileSync } from 'node:fs';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { failure } from '../../../../shared/errors.ts';

let trusted: readonly string[] | null = null;

/**
 * Returns Node's certificate authorities, NODE_EXTRA_CA_CERTS, and the system's, since companies use their own (electron#41590).
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
 * Returns the certificates of a PEM file; none if it cannot be read, as in Node. A packaged Electron with the fuse
 * `enableNodeOptionsEnvironmentVariable` off does not read the variable (Electron's docs, "Electron Fuses").
 */
export function extraAuthorities(file: string | undefined): readonly string[] {
  if (file === undefined || file === '') return [];
  try {
    const pem = readFileSync(file, 'utf8');
    return pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu) ?? [];
  } catch {
    return []; // Node only warns too: connections that need it fail with the certificate's error.
  }
}

let sharedContext: SecureContext | null = null;

/**
 * Returns the trusted certificates of a connection. The context is cached: parsing hundreds of certificates per socket is slow.
 * Throws `AppError('invalid-argument')` when the file holds no readable certificates.
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
  return failure('invalid-argument', 'The certificate file of this connection holds no PEM certificate.', {
    retry: 'after-fix',
    reason: 'ca-unreadable',
    cause,
  });
}
