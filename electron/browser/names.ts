import { randomBytes } from 'node:crypto';
import { codeParameter } from '../../shared/session.ts';

/**
 * An address to open, and the same address with 127.0.0.1, for `ssh -L` and browsers that cannot resolve names below localhost.
 */
export interface Addresses {
  readonly named: string;
  readonly plain: string;
}

/**
 * Returns a random host name for this run, which Chromium and Firefox resolve to this computer (RFC 6761, 6.3). Its origin is
 * new, so it shares no page or service worker with a program that used the port before.
 */
export function freshName(): string {
  return `c${randomBytes(10).toString('hex')}.localhost`;
}

export function addressesOf(name: string, port: number, code: string): Addresses {
  const at = (host: string): string => `http://${host}:${String(port)}/#${codeParameter}=${code}`;
  return { named: at(name), plain: at('127.0.0.1') };
}

/** Returns a printed address with 127.0.0.1 as its host; null if it already has that host. */
export function plainOf(address: string): string | null {
  const plain = address.replace(/^http:\/\/[a-z0-9]+\.localhost:/, 'http://127.0.0.1:');
  return plain === address ? null : plain;
}
