import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Addresses } from './names.ts';

export interface RedirectFile {
  /** The file that the browser opens: every user of the computer can read its command line. */
  readonly address: string;
  remove(): void;
}

/** Writes a page, for this account alone, that leads a browser to an address with a code. */
export function writeRedirectFile(dir: string, addresses: Addresses): RedirectFile {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const file = path.join(dir, 'open-cooper.html');
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, redirectPage(addresses), { mode: 0o600, flag: 'wx' });
  renameSync(`${file}.new`, file);
  return {
    address: pathToFileURL(file).href,
    remove: () => rmSync(file, { force: true }),
  };
}

/** Safari asks the system for names below localhost, which need not know them. */
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
