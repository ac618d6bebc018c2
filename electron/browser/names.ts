import { randomBytes } from 'node:crypto';
import { codeParameter } from '../../shared/session.ts';

/** An address to open, and its plain form for `ssh -L` and for browsers that do not resolve names below localhost. */
export interface Addresses {
  readonly named: string;
  readonly plain: string;
}

/**
 * Returns a random host name for this start, which Chromium and Firefox resolve to this computer (RFC 6761, 6.3). No page or
 * service worker that an earlier program left on the port shares its origin.
 */
export function freshName(): string {
  return `c${randomBytes(10).toString('hex')}.localhost`;
}

export function addressesOf(name: string, port: number, code: string): Addresses {
  const at = (host: string): string => `http://${host}:${String(port)}/#${codeParameter}=${code}`;
  return { named: at(name), plain: at('127.0.0.1') };
}

/** Returns the plain form of a printed address; null if it is plain already. */
export function plainOf(address: string): string | null {
  const plain = address.replace(/^http:\/\/[a-z0-9]+\.localhost:/, 'http://127.0.0.1:');
  return plain === address ? null : plain;
}
