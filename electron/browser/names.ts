import { randomBytes } from 'node:crypto';
import { codeParameter } from '../../shared/session.ts';

/** An address to open, and the same one for browsers that do not know names below localhost, and for `ssh -L`. */
export interface Addresses {
  readonly named: string;
  readonly plain: string;
}

/**
 * A name of this start alone, which Chromium and Firefox take for this computer by themselves (RFC 6761, 6.3). No page that
 * an earlier program has left on the port, such as its service worker, is of the same origin.
 */
export function freshName(): string {
  return `c${randomBytes(10).toString('hex')}.localhost`;
}

export function addressesOf(name: string, port: number, code: string): Addresses {
  const at = (host: string): string => `http://${host}:${String(port)}/#${codeParameter}=${code}`;
  return { named: at(name), plain: at('127.0.0.1') };
}

/** The plain form of a printed address; null: it is one already. */
export function plainOf(address: string): string | null {
  const plain = address.replace(/^http:\/\/[a-z0-9]+\.localhost:/, 'http://127.0.0.1:');
  return plain === address ? null : plain;
}
