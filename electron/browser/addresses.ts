import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
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

interface RedirectFile {
  /** The address of the file to open. It hides the address with the code, because all users can read a command line. */
  readonly address: string;
  remove(): void;
}

/** Writes a page that redirects a browser to an address with a code. Only this account can read the file. */
export function writeRedirectFile(dir: string, addresses: Addresses): RedirectFile {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const file = path.join(dir, 'open-cooper.html');
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, redirectPage(addresses), { mode: 0o600, flag: 'wx' });
  renameSync(`${file}.new`, file);
  return { address: pathToFileURL(file).href, remove: () => rmSync(file, { force: true }) };
}

/**
 * Returns a page that falls back to the plain address. Safari resolves names below localhost through the system, which may not
 * know them.
 */
function redirectPage({ named, plain }: Addresses): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>Cooper</title>
<noscript><meta http-equiv="refresh" content="0;url=${named}"></noscript>
<script>
  location.replace(/^Apple/.test(navigator.vendor) ? '${plain}' : '${named}');
</script>
<p><a href="${named}">Cooper</a> (<a href="${plain}">127.0.0.1</a>)</p>
`;
}
